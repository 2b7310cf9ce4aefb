// From clicks on areas to an action. An action is a path of areas; no path begins another, so a choice is complete
// when one path has been walked.

/** The choice in progress among actions with their paths (`areas`). */
export class Selection {
  constructor(actions) {
    this.actions = actions;
    this.clear();
  }

  /** Forgets all clicks. */
  clear() {
    this.path = [];
    this.goal = null;
  }

  /** Takes back the last click; was there one? */
  back() {
    if (this.goal !== null) this.goal = null;
    else if (this.path.length > 0) this.path.pop();
    else return false;
    return true;
  }

  /** The actions that are still possible. */
  get possible() {
    return this.actions.filter((action) =>
      this.path.every((area, index) => action.areas[index] === area) &&
      (this.goal === null || action.areas.slice(this.path.length).includes(this.goal)));
  }

  /** The areas that go on with the path. */
  get next() {
    return new Set(this.possible.map((action) => action.areas[this.path.length]));
  }

  /** The areas that possible actions end on but that do not go on with the path: what would be hit. */
  get later() {
    if (this.path.length === 0) return new Set();
    const next = this.next;
    return new Set(this.possible.map((action) => action.areas.at(-1)).filter((area) => !next.has(area)));
  }

  /**
   * Takes a click. Returns the action if it is complete: the path is walked to its end, or at least two clicks leave
   * one action only. An area further along (an enemy in reach) narrows the choice to the actions that lead there; an
   * area that leads nowhere starts again.
   */
  click(area) {
    if (this.next.has(area)) {
      this.path.push(area);
      if (area === this.goal) this.goal = null;
    } else if (this.later.has(area)) {
      this.goal = area;
    } else {
      this.clear();
      if (!this.next.has(area)) return null;
      this.path.push(area);
    }
    const possible = this.possible;
    const clicks = this.path.length + (this.goal === null ? 0 : 1);
    if (possible.length !== 1 || clicks < Math.min(2, possible[0].areas.length)) return null;
    this.clear();
    return possible[0];
  }

  /** The one action that a further click on `area` would complete, if there is one. */
  completes(area) {
    const trial = new Selection(this.actions);
    trial.path = [...this.path];
    trial.goal = this.goal;
    return trial.click(area);
  }
}
