/**
 * What runs in the browser, as texts: the types of these programs know no page. Markers are the buttons whose names tell how many
 * controllers stand there.
 */

const markers = `[...document.querySelectorAll('button[data-status]')]`;

/** Goes on by a link of the console and tells after how many milliseconds the first marker is on the map. */
export const openMap = (path: string) => `new Promise((resolve, reject) => {
  const link = [...document.querySelectorAll('a')].find((each) => each.getAttribute('href') === ${JSON.stringify(path)});
  if (!link) return reject(new Error('there is no link to the map'));
  const started = performance.now();
  const look = () => {
    if (${markers}.length > 0) resolve(performance.now() - started);
    else if (performance.now() - started > 30000) reject(new Error('no marker in 30 s'));
    else requestAnimationFrame(look);
  };
  link.click();
  look();
})`;

export const countMarkers = `${markers}.length`;

/** Begins to note when frames are drawn. */
export const watchFrames = `void (() => {
  const frames = (window.frames_ = []);
  const note = (at) => {
    if (window.frames_ !== frames) return;
    frames.push(at);
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
})()`;

/** Ends it; milliseconds between one frame and the next. */
export const takeFrames = `(() => {
  const frames = window.frames_;
  window.frames_ = undefined;
  return frames.slice(1).map((at, index) => at - frames[index]);
})()`;
