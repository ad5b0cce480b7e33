/**
 * Of each kind with a page: its `name` on buttons and in the command palette; `short` where there is little room; `open` for
 * buttons without a text; `hint` beside its keys in the palette. `record`: in the history of tunnels and the audit log.
 */
export const ru = {
  newTab: 'Откроется в новой вкладке',
  kind: {
    http: {
      name: 'Веб-интерфейс',
      short: 'Веб-интерфейс',
      open: 'Открыть веб-интерфейс {{serialNumber}}',
      hint: 'веб',
    },
    ssh: {
      name: 'Терминал SSH',
      short: 'SSH',
      open: 'Открыть терминал {{serialNumber}}',
      hint: 'терминал',
    },
  },
  record: {
    http: 'веб-интерфейс',
    terminal: 'терминал',
    ssh_stream: 'SSH через команду клиента',
    ssh_jump: 'SSH через промежуточный узел',
    tcp: 'порт TCP',
  },
} as const;

export const en = {
  newTab: 'Opens in a new tab',
  kind: {
    http: {
      name: 'Web interface',
      short: 'Web interface',
      open: 'Open the web interface of {{serialNumber}}',
      hint: 'web',
    },
    ssh: {
      name: 'SSH terminal',
      short: 'SSH',
      open: 'Open the terminal of {{serialNumber}}',
      hint: 'terminal',
    },
  },
  record: {
    http: 'web interface',
    terminal: 'terminal',
    ssh_stream: 'SSH by a client’s command',
    ssh_jump: 'SSH through the jump host',
    tcp: 'TCP port',
  },
} as const;
