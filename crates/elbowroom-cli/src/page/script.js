// Shows the words of the sample under the pointer. Without it the page loses nothing else.
const plot = document.getElementById('plot'), tip = document.getElementById('tip');
const cursor = document.getElementById('cursor'), words = [...document.querySelectorAll('#words li')];
if (plot) {
  plot.addEventListener('pointermove', e => {
    const r = plot.getBoundingClientRect(), x = (e.clientX - r.left) / r.width * 1000;
    let best = words[0];
    for (const w of words) if (Math.abs(w.dataset.x - x) < Math.abs(best.dataset.x - x)) best = w;
    if (!best) return;
    cursor.setAttribute('x1', best.dataset.x);
    cursor.setAttribute('x2', best.dataset.x);
    cursor.setAttribute('visibility', 'visible');
    tip.textContent = best.textContent;
  });
  plot.addEventListener('pointerleave', () => cursor.setAttribute('visibility', 'hidden'));
}
