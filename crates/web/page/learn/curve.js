// A curve with axes: how a number changes over another one.

import { s } from "../dom.js";
import { count, number } from "../format.js";
import { FRAME, scaled } from "./scale.js";

const { width, height, left, bottom, top, right } = FRAME;

/** The drawing; `name` is what a screen reader says. */
export function curve(points, name) {
  if (points.length === 0) return null;
  const { last, highest, places } = scaled(points);
  const floor = height - bottom;
  return s("svg", { class: "curve", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name },
    s("path", { class: "axis", d: `M${left} ${top}V${floor}H${width - right}` }),
    s("text", { class: "tick", x: left - 6, y: top + 6, "text-anchor": "end" }, number(highest, 3)),
    s("text", { class: "tick", x: left - 6, y: floor, "text-anchor": "end" }, "0"),
    s("text", { class: "tick", x: width - right, y: height - 6, "text-anchor": "end" }, count(last)),
    s("polyline", { class: "line", points: places.map((place) => place.map((part) => part.toFixed(1)).join(","))
      .join(" ") }),
    s("circle", { class: "present", cx: places.at(-1)[0], cy: places.at(-1)[1], r: 3 }));
}
