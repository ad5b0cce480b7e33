export const helpText = `Pult agent: links this machine to a Pult server.

Usage: pult-agent <command> [flags]

Commands
  run       enrol if needed, keep the link, serve the cloud's requests until stopped
  status    show what the running agent does; exit code 0 when it runs, 1 when not
  doctor    look at the way to the server and at this machine's own; exit code 0 when nothing is to be done
  enroll    enrol once, print the activation link, and end
  unlink    forget this machine's key; the next start enrols it anew

Flags (each also as environment variable and as key of the config file; flags win, then environment)
  --server URL             PULT_SERVER          address of the server
  --serial SN              PULT_SERIAL          serial number; otherwise asked from the board
  --state-dir DIR          PULT_STATE_DIR       key and state; /var/lib/pult-agent or ~/.local/state/pult-agent
  --http HOST:PORT         PULT_HTTP            web interface, https://HOST:PORT for one with TLS; 127.0.0.1:80
  --ssh HOST:PORT          PULT_SSH             SSH server; 127.0.0.1:22
  --allow LIST             PULT_ALLOW           only these may be reached: http, ssh, port numbers; otherwise all
  --ca FILE                PULT_CA              PEM certificates to trust instead of the system's
  --proxy URL              PULT_PROXY           HTTP proxy to the server, off for none; otherwise as HTTPS_PROXY, NO_PROXY say
  --enrollment-key KEY     PULT_ENROLLMENT_KEY  key of an organization, which claims this machine; or the server's own
  --mqtt URL               PULT_MQTT            local MQTT broker, off for none; mqtt://127.0.0.1:1883
  --mqtt-topics PATTERN    PULT_MQTT_TOPICS     topics of values: + device, + control; /devices/+/controls/+
  --mqtt-ca FILE           PULT_MQTT_CA         PEM certificates to trust for mqtts:// instead of the system's
  --metrics-interval SEC   PULT_METRICS_INTERVAL  seconds between measurements, 10 to 240; otherwise the server says
  --data-path DIR          PULT_DATA_PATH       where the data partition is mounted; /mnt/data
  --config FILE            PULT_CONFIG          JSON file with keys like "server", "stateDir"; /etc/pult-agent.json
  --help, --version
`;
