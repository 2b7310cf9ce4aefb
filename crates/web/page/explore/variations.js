// Variations of a match: trees of steps that were not played, with comments. Pure data, without the page.

/** A position in a tree of variations: the one after `joint` was played in its parent's. */
export class Variation {
  /** @param {string[] | null} joint @param {Variation | null} parent */
  constructor(joint, parent) {
    this.joint = joint;
    this.parent = parent;
    this.comment = "";
    /** @type {Variation[]} */
    this.children = [];
  }

  /** The steps from the root to here. @returns {string[][]} */
  get line() {
    return this.parent && this.joint ? [...this.parent.line, this.joint] : [];
  }

  /** The variation after a step: an old one if it is there, else a new one. @param {string[]} joint */
  play(joint) {
    const same = (child) => JSON.stringify(child.joint) === JSON.stringify(joint);
    let child = this.children.find(same);
    if (!child) {
      child = new Variation(joint, this);
      this.children.push(child);
    }
    return child;
  }

  /** Takes this variation and all below out of the tree. Returns the parent. */
  remove() {
    if (!this.parent) return this;
    this.parent.children = this.parent.children.filter((child) => child !== this);
    return this.parent;
  }

  /** Is there anything to keep: a comment, or a step below? */
  get worth() {
    return this.comment !== "" || this.children.length > 0;
  }

  /** As plain data. */
  get data() {
    return { ...(this.joint ? { joint: this.joint } : {}), ...(this.comment ? { comment: this.comment } : {}),
      ...(this.children.length > 0 ? { children: this.children.map((child) => child.data) } : {}) };
  }

  /** From plain data; what has no right form is left out. @param {any} data @param {Variation | null} parent */
  static from(data, parent = null) {
    const joint = Array.isArray(data?.joint) ? data.joint.map(String) : null;
    const made = new Variation(joint, parent);
    made.comment = typeof data?.comment === "string" ? data.comment : "";
    made.children = (Array.isArray(data?.children) ? data.children : []).filter((child) => Array.isArray(child?.joint))
      .map((child) => Variation.from(child, made));
    return made;
  }
}

/** The variations of a match, by the step at which they leave it. */
export class Study {
  constructor() {
    /** @type {Map<number, Variation>} */
    this.roots = new Map();
  }

  /** The variations that leave the match after some steps. @param {number} step @returns {Variation} */
  at(step) {
    const known = this.roots.get(step);
    if (known) return known;
    const root = new Variation(null, null);
    this.roots.set(step, root);
    return root;
  }

  /** As plain data. */
  get data() {
    return { roots: [...this.roots].filter(([, root]) => root.worth).sort(([one], [two]) => one - two)
      .map(([step, root]) => ({ step, ...root.data })) };
  }

  /** From plain data. @param {any} data */
  static from(data) {
    const study = new Study();
    for (const root of Array.isArray(data?.roots) ? data.roots : [])
      if (Number.isInteger(root?.step) && root.step >= 0) study.roots.set(root.step, Variation.from(root));
    return study;
  }
}
