// Any picture as a tree of its values, for a rulebook that brings no drawing module.

import { called, make, name } from "./dom.js";

export function create(root) {
  const tree = make("ul", { class: "tree" });
  root.replaceChildren(tree);
  let drawn = new Map();
  return {
    draw(picture) {
      const kept = drawn;
      drawn = new Map();
      grow(tree, picture, "", kept, drawn);
    },
  };
}

/** One item per key. Nodes are kept by pointer; only changed values are written. */
function grow(parent, value, pointer, kept, drawn) {
  const items = Object.keys(value).map((key) => {
    const at = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const inner = value[key];
    const branch = inner !== null && typeof inner === "object" && !flat(inner);
    let item = kept.get(at);
    if (!item || item.branch !== branch) item = branch ? bough(key) : leaf(key, at);
    drawn.set(at, item);
    if (branch) grow(item.list, inner, at, kept, drawn);
    else {
      const text = JSON.stringify(inner);
      if (item.value.dataset.is !== text) {
        item.value.dataset.is = text;
        name(item.value, typeof inner === "string" ? inner : text, 200);
      }
    }
    return item.node;
  });
  if (items.length !== parent.children.length || items.some((item, at) => parent.children[at] !== item)) parent.replaceChildren(...items);
}

const flat = (value) => Array.isArray(value) && value.every((one) => one === null || typeof one !== "object");

function leaf(key, at) {
  const value = make("bdi", { class: "value", "data-at": at });
  return { branch: false, value, node: make("li", {}, called(key), ": ", value) };
}

function bough(key) {
  const list = make("ul");
  return { branch: true, list, node: make("li", {}, make("details", { open: true }, make("summary", {}, called(key)), list)) };
}
