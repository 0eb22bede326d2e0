// Draws any picture as a tree of its values, for a rulebook without a drawing module.

import { called, make, name } from "./dom.js";

/** @typedef {{ node: HTMLElement, list: HTMLElement } | { node: HTMLElement, value: HTMLElement }} Item a branch or a leaf */
/** @typedef {Map<string, Item>} Items by pointer */

export const isTree = true;

/** @param {HTMLElement} root */
export function create(root) {
  const tree = make("ul", { class: "tree" });
  root.replaceChildren(tree);
  /** @type {Items} */
  let drawn = new Map();
  return {
    /** @param {import("./types.js").Picture} picture */
    draw(picture) {
      const kept = drawn;
      drawn = new Map();
      grow(tree, picture, "", kept, drawn);
    },
  };
}

/**
 * Draws one item per key. Keeps the nodes of the last drawing, and writes only changed values.
 * @param {HTMLElement} parent
 * @param {any} value
 * @param {string} pointer
 * @param {Items} kept
 * @param {Items} drawn
 */
function grow(parent, value, pointer, kept, drawn) {
  const items = Object.keys(value).map((key) => {
    const at = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const inner = value[key];
    const isBranch = inner !== null && typeof inner === "object" && !isFlat(inner);
    let item = kept.get(at);
    if (!item || "list" in item !== isBranch) item = isBranch ? branch(key) : leaf(key, at);
    drawn.set(at, item);
    if ("list" in item) grow(item.list, inner, at, kept, drawn);
    else write(item.value, inner);
    return item.node;
  });
  if (items.length !== parent.children.length || items.some((item, at) => parent.children[at] !== item)) parent.replaceChildren(...items);
}

/**
 * @param {HTMLElement} node
 * @param {unknown} value
 */
function write(node, value) {
  const text = JSON.stringify(value);
  if (node.dataset.is === text) return;
  node.dataset.is = text;
  if (Array.isArray(value) && value.length > 0) node.replaceChildren(...value.map(cell));
  else if (Array.isArray(value)) name(node, "none");
  else name(node, typeof value === "string" ? value : value === null ? "–" : text, 200);
}

/**
 * A value of a list. A line of text with several characters keeps its spaces: it may be a row of a board.
 * @param {unknown} value
 */
function cell(value) {
  return name(make("span", { class: "cell" }), value === null ? "–" : String(value), 200);
}

/** @param {unknown} value */
const isFlat = (value) => Array.isArray(value) && value.every((one) => one === null || typeof one !== "object");

/**
 * @param {string} key
 * @param {string} at
 * @returns {Item}
 */
function leaf(key, at) {
  const value = make("bdi", { class: "value", "data-at": at });
  return { value, node: make("li", {}, called(key), ": ", value) };
}

/**
 * @param {string} key
 * @returns {Item}
 */
function branch(key) {
  const list = make("ul");
  return { list, node: make("li", {}, make("details", { open: true }, make("summary", {}, called(key)), list)) };
}
