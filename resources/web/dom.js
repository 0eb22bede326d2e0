// Nodes made from data. Data only ever becomes text: nothing here parses markup.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** A text that is not ours, set apart so that its direction and length cannot disturb what is around it. */
export function called(text, most = 60) {
  return name(make("bdi", { class: "name" }), text, most);
}

export function name(node, text, most = 60) {
  const whole = String(text);
  say(node, cut(whole, most));
  if (whole.length > most) node.title = cut(whole, 600);
  else node.removeAttribute("title");
  return node;
}

export function cut(text, most) {
  if (text.length <= most) return text;
  // No half of a surrogate pair at the end.
  return text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "") + "…";
}

/** Sets a text only if it is another one: writing what is there already still costs a layout. */
export function say(node, text) {
  const now = String(text);
  if (node.firstChild?.data !== now) node.textContent = now;
}

export function toggle(node, attribute, on, value = "true") {
  if (on) {
    if (node.getAttribute(attribute) !== value) node.setAttribute(attribute, value);
  } else if (node.hasAttribute(attribute)) {
    node.removeAttribute(attribute);
  }
}

export function date(ms) {
  return new Date(ms).toLocaleString("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });
}

/** Names one after the other, each set apart. */
export function list(names, most = 40) {
  return names.flatMap((one, at) => (at === 0 ? [called(one, most)] : [", ", called(one, most)]));
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}
