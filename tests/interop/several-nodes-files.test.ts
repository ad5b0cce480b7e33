import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig, readEnvironment } from '@pult/server/testing';
import { makeTempDir, makeTestCertificate, repositoryPath, runCommand } from '@pult/testkit';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const read = (name: string) => readFile(repositoryPath(`deploy/${name}`), 'utf8');
const secretKey = createHash('sha256').update('of this test').digest('hex');
const configOf = (env: Record<string, string>) =>
  loadConfig(readEnvironment({ env, directory: null }), { version: '1.2.3' });

test('deploy/haproxy-several.cfg is taken by HAProxy', async () => {
  await using folder = await makeTempDir('haproxy');
  const { bundlePath } = await makeTestCertificate(folder.path, [
    'pult.example.com',
    '*.http.pult.example.com',
  ]);
  const file = join(folder.path, 'haproxy.cfg');
  await writeFile(file, (await read('haproxy-several.cfg')).replace('/etc/pult/pult.pem', bundlePath));
  const { code, stdout, stderr } = await runCommand('haproxy', ['-c', '-f', file]);
  expect(stdout + stderr).not.toMatch(/WARNING|ALERT/);
  expect(code).toBe(0);
});

describe('deploy/compose.several.yml', () => {
  test('each node of deploy/compose.several.yml has settings that a server takes, and an address of its own', async () => {
    const values: Record<string, string> = {
      PULT_VERSION: '1.2.3',
      PUBLIC_URL: 'https://pult.example.com',
      SSH_JUMP_ADDRESS: 'pult.example.com:2222',
      SECRETS_KEY: secretKey,
      POSTGRES_PASSWORD: 'a-password-of-this-test',
      NATS_PASSWORD: 'another-one-of-this-test',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'zq8-Lw4-hT2-rB6',
    };
    const text = await read('compose.several.yml');
    const asked = [...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name ?? '');
    expect([...new Set(asked)].sort()).toEqual(Object.keys(values).sort());
    const filled = text.replaceAll(/\$\{(\w+):\?\}/g, (_, name: string) => values[name] ?? '');
    const { services } = parse(filled, { merge: true }) as {
      services: Record<
        string,
        {
          image: string;
          environment?: Record<string, string>;
          depends_on?: string[];
          entrypoint?: string[];
        }
      >;
    };
    const nodes = Object.entries(services).filter(([, { image }]) => image.includes('pult-server'));
    expect(nodes).toHaveLength(3);
    const balancer = await read('haproxy-several.cfg');
    const [webPort, sshPort] = ['pult', 'pult_ssh'].map(
      (backend) =>
        new RegExp(`\\nbackend ${backend}\\n[^]*?\\n {2}server pult-1 \\S+:(\\d+)`).exec(balancer)?.[1],
    );
    const balancedPorts = [Number(webPort), Number(sshPort)];
    const buckets = Object.values(services).map(
      ({ entrypoint }) => / s3\/(\S+)$/.exec(entrypoint?.at(-1) ?? '')?.[1],
    );
    const addresses = nodes.map(([name, { environment = {}, depends_on = [] }]) => {
      const config = configOf(environment);
      expect(Object.keys(services)).toEqual(expect.arrayContaining(depends_on));
      expect(config.nodes?.address.host).toBe(name);
      expect(config.secrets.key?.toString('hex')).toBe(secretKey);
      expect([config.http.port, config.ssh.jumpPort]).toEqual(balancedPorts);
      expect(buckets).toContain(config.diagnostics.s3?.bucket);
      for (const url of [config.database.url, ...(config.nodes?.natsUrls ?? [])]) {
        expect(Object.keys(services)).toContain(new URL(url ?? '').hostname);
      }
      return config.nodes?.address.host;
    });
    expect(new Set(addresses).size).toBe(3);
  });
});

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: Record<string, never>;
}

describe('deploy/kubernetes', () => {
  const listManifests = async () => {
    const { resources } = parse(await read('kubernetes/kustomization.yaml')) as { resources: string[] };
    const texts = await Promise.all(resources.map((name) => read(`kubernetes/${name}`)));
    return {
      resources,
      manifests: texts.flatMap((text) => parseAllDocuments(text)).map((each) => each.toJS() as Manifest),
    };
  };

  test('deploy/kubernetes names each of its files, and no other', async () => {
    const { resources, manifests } = await listManifests();
    const files = await readdir(repositoryPath('deploy/kubernetes'));
    expect([...resources, 'kustomization.yaml'].sort()).toEqual(files.sort());
    expect(manifests.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`).sort()).toEqual([
      'apps/v1 Deployment',
      'networking.k8s.io/v1 NetworkPolicy',
      'policy/v1 PodDisruptionBudget',
      'v1 Service',
      'v1 Service',
    ]);
  });

  test('all selectors of deploy/kubernetes mean the pods of its Deployment, and all ports are theirs', async () => {
    const { manifests } = await listManifests();
    const text = JSON.stringify(manifests);
    const selectors = [...text.matchAll(/"(?:matchLabels|selector)":(\{"app[^}]*\})/g)].map(
      ([, labels]) => labels,
    );
    expect(new Set(selectors)).toEqual(new Set(['{"app.kubernetes.io/name":"pult"}']));
    expect(selectors.length).toBeGreaterThanOrEqual(6);
    const ports = [...text.matchAll(/"name":"(\w+)","containerPort":(\d+)/g)].map(([, name]) => name);
    const used = [...text.matchAll(/"(?:targetPort|port)":"(\w+)"/g)].map(([, name]) => name);
    expect(ports).toEqual(['http', 'ssh', 'nodes']);
    for (const name of used) expect(ports).toContain(name);
    // The other nodes come to it, and nobody else.
    expect(text).not.toContain('"targetPort":"nodes"');
  });

  test('the settings of deploy/kubernetes are taken by a server, with those of its Secret', async () => {
    const text = await read('kubernetes/kustomization.yaml');
    const { configMapGenerator } = parse(text) as { configMapGenerator: { literals: string[] }[] };
    const literals = configMapGenerator.flatMap((each) => each.literals);
    const secret = {
      DATABASE_URL: 'postgres://pult:a-password@postgres:5432/pult',
      NATS_URL: 'tls://pult:a-password@nats:4222',
      SECRETS_KEY: secretKey,
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'zq8-Lw4-hT2-rB6',
    };
    for (const name of Object.keys(secret)) expect(text).toContain(name);
    const given = Object.fromEntries(
      literals.map((each) => [each.split('=', 1)[0] ?? '', each.slice(each.indexOf('=') + 1)]),
    );
    const config = configOf({ ...given, ...secret, NODE_ADDRESS: '10.1.2.3:7200' });
    const deployment = await read('kubernetes/deployment.yaml');
    expect(deployment).toContain('value: $(POD_IP):7200');
    expect(deployment).toContain(`containerPort: ${config.http.port}`);
    expect(deployment).toContain(`containerPort: ${config.ssh.jumpPort}`);
    expect(deployment).toContain(`containerPort: ${config.nodes?.port}`);
  });
});
