// Where the points of a curve are in its drawing.

/** Width, height, and the room for axes at the left, below and above. */
export const FRAME = { width: 360, height: 150, left: 48, bottom: 22, top: 8, right: 6 };

/** The points `[x, y]` in the drawing, with the ends of both axes. The vertical axis begins at 0. */
export function scaled(points) {
  const { width, height, left, bottom, top, right } = FRAME;
  const last = Math.max(1, ...points.map(([x]) => x));
  const highest = Math.max(...points.map(([, y]) => y), 0) || 1;
  const place = ([x, y]) => [left + (width - left - right) * (x / last),
    height - bottom - (height - bottom - top) * (y / highest)];
  return { last, highest, places: points.map(place) };
}
