// Shows the words of the sample under the pointer, and the still of the slider. Without it the page shows one
// still, and loses nothing else.
const plot = document.getElementById('plot'), tip = document.getElementById('tip');
const cursor = document.getElementById('cursor'), words = [...document.querySelectorAll('#words li')];
const stills = [...document.querySelectorAll('.still')], seek = document.getElementById('seek');
const [play, said] = ['play', 'said'].map(id => document.getElementById(id));
const jumps = [...document.querySelectorAll('.seek .to')];
const nearest = (list, x) =>
  list.reduce((best, w) => Math.abs(w.dataset.x - x) < Math.abs(best.dataset.x - x) ? w : best, list[0]);
const mark = x => {
  cursor.setAttribute('x1', x);
  cursor.setAttribute('x2', x);
  cursor.setAttribute('visibility', 'visible');
};
let shown = stills.find(s => s.classList.contains('on')), timer = 0;
const show = k => {
  const still = stills[k];
  if (!still) return;
  shown.classList.remove('on');
  still.classList.add('on');
  shown = still;
  seek.value = k;
  said.textContent = still.dataset.say;
  if (plot) mark(still.dataset.x);
};
const stop = () => {
  clearInterval(timer);
  timer = 0;
  play.textContent = 'Play';
};
if (seek && stills.length > 1) {
  seek.parentNode.hidden = play.hidden = false;
  seek.addEventListener('input', () => { stop(); show(+seek.value); });
  for (const to of jumps) {
    to.hidden = false;
    to.addEventListener('click', () => { stop(); show(+to.dataset.k); });
  }
  play.addEventListener('click', () => {
    if (timer) return stop();
    if (+seek.value === stills.length - 1) show(0);
    play.textContent = 'Pause';
    timer = setInterval(() => {
      show(+seek.value + 1);
      if (+seek.value === stills.length - 1) stop();
    }, Math.max(40, Math.min(250, 8000 / stills.length)));
  });
}
// Paper shows the start.
addEventListener('beforeprint', () => { if (seek && stills.length > 1) { stop(); show(0); } });
if (plot) {
  plot.addEventListener('pointermove', e => {
    const r = plot.getBoundingClientRect(), best = nearest(words, (e.clientX - r.left) / r.width * 1000);
    if (!best) return;
    mark(best.dataset.x);
    tip.textContent = best.textContent;
  });
  plot.addEventListener('click', e => {
    const r = plot.getBoundingClientRect();
    if (stills.length > 1) {
      stop();
      show(stills.indexOf(nearest(stills, (e.clientX - r.left) / r.width * 1000)));
    }
  });
  plot.addEventListener('pointerleave', () =>
    shown && seek ? mark(shown.dataset.x) : cursor.setAttribute('visibility', 'hidden'));
}
