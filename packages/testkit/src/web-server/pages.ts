/** What the web interface of a small controller consists of: a page, a style, a script that talks back. */
export const indexPage = (title: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header><h1>${title}</h1><span class="led" aria-hidden="true"></span></header>
<main>
<section><h2>Relays</h2>
<label><input type="checkbox" checked> Pump</label>
<label><input type="checkbox"> Ventilation</label>
<label><input type="checkbox" checked> Light</label></section>
<section><h2>Socket</h2>
<p>Status: <output id="socket-status">connecting</output></p>
<form id="say"><label>Message <input name="text" autocomplete="off"></label> <button>Send</button></form>
<ul id="echoes" aria-label="Echoes"></ul></section>
<section><h2>Files</h2>
<a href="/download/104857600" download="archive.bin">Download archive</a></section>
</main>
<script src="/app.js"></script>
</body>
</html>
`;

export const style = `body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1d2730; background: #eef2f4 }
header { display: flex; align-items: center; justify-content: space-between; padding: 12px 24px; background: #14532d; color: #fff }
h1 { font-size: 20px; margin: 0 } h2 { font-size: 16px; margin: 0 0 8px }
.led { width: 12px; height: 12px; border-radius: 50%; background: #86efac }
main { display: grid; gap: 16px; padding: 24px; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)) }
section { background: #fff; border: 1px solid #d5dde2; border-radius: 6px; padding: 16px }
section > label { display: block }
`;

export const script = `const status = document.getElementById('socket-status');
const echoes = document.getElementById('echoes');
const socket = new WebSocket(location.origin.replace(/^http/, 'ws') + '/ws');
socket.onopen = () => { status.textContent = 'connected'; };
socket.onclose = () => { status.textContent = 'closed'; };
socket.onmessage = (event) => {
  const item = document.createElement('li');
  item.textContent = 'echo: ' + event.data;
  echoes.append(item);
};
document.getElementById('say').onsubmit = (event) => {
  event.preventDefault();
  socket.send(new FormData(event.target).get('text'));
  event.target.reset();
};
`;
