// The arguments of a game or an agent: a form for them, and what they are without their defaults. The server reads and
// writes addresses; the page deals in names and arguments only.

import { field, h, select } from "./dom.js";
import { catalogue } from "./strings.js";

/** The arguments that are given and differ from their default. */
export function givenArguments(parameters, values) {
  const given = parameters.filter(({ name, default: usual }) => (values[name] ?? "") !== "" && values[name] !== usual);
  return Object.fromEntries(given.map(({ name }) => [name, values[name]]));
}

/** Do two sets of arguments mean the same? */
export function sameArguments(parameters, one, two) {
  const value = (values, { name, default: usual }) => (values[name] ?? "") || usual;
  return parameters.every((parameter) => value(one, parameter) === value(two, parameter));
}

/** A form for parameters: `values` is changed in place. Parameters with choices are selects. */
export function parameterFields(parameters, values, onchange, uploads = []) {
  return parameters.map((parameter) => {
    const { name, default: usual, summary, choices, upload } = parameter;
    const given = (value) => {
      values[name] = value;
      onchange();
    };
    const own = upload ? uploads.filter((file) => file.endsWith(upload)) : [];
    const all = [...choices, ...own];
    const current = values[name] ?? usual;
    const options = (all.includes(current) ? all : [current, ...all]).map((choice) => [choice, choice]);
    const control = all.length > 0
      ? select(options, current, given, { data: { parameter: name } })
      : h("input", {
        type: "text", value: values[name] ?? "", placeholder: usual, spellcheck: "false", autocomplete: "off",
        data: { parameter: name }, onchange: (event) => given(event.target.value.trim()),
      });
    return field(name, control, catalogue(summary));
  });
}
