// Making and replacing elements.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined
    && child !== false));
  return element;
}

/** An HTML element: attributes, `on…` listeners and `data` entries by name, then its children. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Puts these children in place of all others. */
export function put(element, ...children) {
  element.replaceChildren();
  return fill(element, null, children);
}

/** A button whose visible text is its name. */
export function button(text, onclick, attributes) {
  return h("button", { type: "button", onclick, ...attributes }, text);
}

/** A labelled control: the label is above it, a hint below. */
export function field(label, control, hint) {
  return h("label", { class: "field" }, h("span", { class: "field-name" }, label), control,
    hint ? h("span", { class: "field-hint" }, hint) : null);
}

/** A select: options are `[value, text]`. */
export function select(options, value, onchange, attributes) {
  const element = h("select", { onchange: () => onchange(element.value), ...attributes },
    options.map(([key, text]) => h("option", { value: key }, text)));
  element.value = value;
  return element;
}

/** Tells something at the foot of the page; errors stay longer. */
export function notice(text, kind = "info") {
  const place = document.getElementById("notices");
  const line = h("p", { class: `notice ${kind}` }, text);
  place.append(line);
  setTimeout(() => line.remove(), kind === "error" ? 8000 : 4000);
}

/** Does the reader want little motion? */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
