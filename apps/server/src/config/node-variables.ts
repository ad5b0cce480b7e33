import { hostAndPort, natsServers, secretKey, text, wholeNumber, yesOrNo } from './value-types.ts';

/** See variables.ts; docs/several-nodes.md tells of them. */
export const nodeVariables = {
  NATS_URL: {
    type: natsServers,
    unset: 'this server is the only node',
    description:
      'NATS by which several nodes are one installation, such as tls://nats:4222, several with commas; see docs/several-nodes.md',
  },
  NATS_CREDS: {
    type: text(4096),
    unset: 'the login in NATS_URL, or none',
    description: 'Credentials file with which this node logs in at NATS_URL',
  },
  NATS_INSECURE: {
    type: yesOrNo,
    default: 'false',
    description: 'Whether NATS_URL may be another machine that asks for no login',
  },
  NODE_ADDRESS: {
    type: hostAndPort,
    unset: 'none',
    description: 'How the other nodes reach this one, host:port; needed with NATS_URL',
  },
  NODE_PORT: {
    type: wholeNumber(1, 65535),
    unset: 'port of NODE_ADDRESS',
    description: 'Port on which the other nodes are waited for, on the host of NODE_ADDRESS',
  },
  SECRETS_FILE: {
    type: text(4096),
    unset: 'secrets.json in DATA_DIR',
    description: 'The same secrets.json for all nodes; only read',
  },
  SECRETS_KEY: {
    type: secretKey,
    unset: 'secrets are kept in a file',
    description:
      'Key under which the secrets are kept in DATABASE_URL instead of a file: 32 bytes as 64 hex digits or base64, made by pult secrets key',
  },
} as const;
