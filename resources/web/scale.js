// The arithmetic of a plot: points are spread over a width, and values over a height from the top.

/**
 * The horizontal place of a point among `count` points. A single point is in the middle.
 * @param {number} at
 * @param {number} count
 * @param {number} width
 */
export function pointX(at, count, width) {
  return count > 1 ? (at / (count - 1)) * width : width / 2;
}

/**
 * The points of a line. The scale always contains 0, and is at least 1 high.
 * @param {number[]} values
 * @param {number} width
 * @param {number} height
 * @param {number[]} all the values that the scale has room for
 * @param {number} count the points that it has room for
 * @returns {[x: number, y: number][]}
 */
export function spots(values, width, height, all = values, count = values.length) {
  const least = Math.min(0, ...all);
  const most = Math.max(least + 1, ...all);
  return values.map((value, at) => [pointX(at, count, width), height - ((value - least) / (most - least)) * height]);
}

/**
 * An SVG path through the points.
 * @param {[x: number, y: number][]} spots
 */
export function linePath(spots) {
  return spots.map(([x, y], at) => `${at === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

/**
 * The part of the way from one step to the next, from 0 to 1; 0 where there is no next one.
 * @param {number} step
 * @param {number} from
 * @param {number | undefined} to
 */
export function between(step, from, to = Infinity) {
  return Math.max(0, Math.min(1, (step - from) / (to - from)));
}
