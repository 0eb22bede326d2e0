// The drawing of a rulebook that brings none: a tree of values.

export { create, isTree } from "/web/tree.js";
