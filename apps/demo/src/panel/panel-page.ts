/** What a small building controller shows in the browser. Values come by a WebSocket beside the page. */

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function renderPanel(serialNumber: string, description: string | undefined): string {
  const title = escapeHtml(description || serialNumber);
  const notice =
    description === undefined ? '' : '<p class="notice">Simulated controller · Имитация контроллера</p>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<header><h1>${title}</h1><code>${escapeHtml(serialNumber)}</code><span id="link" role="status">…</span></header>
${notice}
<main>
<section><h2>Heating · Отопление</h2>
<dl><dt>Supply · Подача</dt><dd><output id="supply">–</output> °C</dd>
<dt>Return · Обратка</dt><dd><output id="return">–</output> °C</dd>
<dt>Pressure · Давление</dt><dd><output id="pressure">–</output> bar</dd></dl>
<label><input type="checkbox" data-switch="pump" checked> Pump · Насос</label></section>
<section><h2>Air · Воздух</h2>
<dl><dt>Inside · Внутри</dt><dd><output id="inside">–</output> °C</dd>
<dt>Outside · Снаружи</dt><dd><output id="outside">–</output> °C</dd>
<dt>CO₂</dt><dd><output id="co2">–</output> ppm</dd></dl>
<label><input type="checkbox" data-switch="fan"> Ventilation · Вентиляция</label></section>
<section><h2>Power · Питание</h2>
<dl><dt>Mains · Сеть</dt><dd><output id="mains">–</output> V</dd>
<dt>Load · Нагрузка</dt><dd><output id="load">–</output> kW</dd></dl>
<label><input type="checkbox" data-switch="light" checked> Light · Свет</label></section>
</main>
<script>${script}</script>
</body>
</html>
`;
}

const style = `:root { color-scheme: light dark }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: #16201f; background: #eef2f1 }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 16px; padding: 14px 24px; background: #0f5f58; color: #fff }
h1 { margin: 0; font-size: 19px } header code { opacity: .8 } #link { margin-left: auto; font-size: 13px }
.notice { margin: 0; padding: 8px 24px; background: #fdf5e2; color: #6b4700; font-size: 13px }
main { display: grid; gap: 16px; padding: 24px; grid-template-columns: repeat(auto-fit, minmax(250px, 1fr)); max-width: 1100px }
section { padding: 16px 20px; border: 1px solid #d8e0de; border-radius: 8px; background: #fff }
h2 { margin: 0 0 8px; font-size: 15px }
dl { display: grid; grid-template-columns: 1fr auto; gap: 4px 12px; margin: 0 0 12px } dd { margin: 0; font-variant-numeric: tabular-nums }
output { font-weight: 600 }
@media (prefers-color-scheme: dark) {
  body { color: #e4eae9; background: #0e1313 } section { background: #1a2121; border-color: #273030 }
  .notice { background: #2a2212; color: #e8b95a } }`;

const script = `const link = document.getElementById('link');
let socket;
function open() {
  socket = new WebSocket(location.origin.replace(/^http/, 'ws') + '/values');
  socket.onopen = () => { link.textContent = 'live · связь есть' };
  socket.onclose = () => { link.textContent = 'no link · связи нет'; setTimeout(open, 3000) };
  socket.onmessage = ({ data }) => {
    for (const [name, value] of Object.entries(JSON.parse(data))) {
      const place = document.getElementById(name);
      if (place) place.textContent = value;
    }
  };
}
for (const box of document.querySelectorAll('[data-switch]'))
  box.onchange = () => socket.send(JSON.stringify({ [box.dataset.switch]: box.checked }));
open();`;
