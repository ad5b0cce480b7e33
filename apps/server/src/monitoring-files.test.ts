import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPromtool, makeTempDir, repositoryPath, runPromtool } from '@pult/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { listMetrics } from './list-metrics.ts';

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

const path = (name: string) => repositoryPath(`deploy/${name}`);
const [rulesFile, rulesTestFile] = ['prometheus/pult-alerts.yml', 'prometheus/pult-alerts.test.yml'];

let rules: string;
let panels: Panel[];
let names: Set<string>;

beforeAll(async () => {
  rules = await readFile(path(rulesFile), 'utf8');
  ({ panels } = JSON.parse(await readFile(path('grafana/pult-server.json'), 'utf8')) as { panels: Panel[] });
  const metrics = await listMetrics();
  names = new Set([
    'pult_metric_read_failures_total',
    ...metrics.flatMap(({ name, type }) =>
      type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name],
    ),
  ]);
});

const listUsed = (text: string) => [...new Set(text.match(/\bpult_[a-z_]+/g) ?? [])];
const listExpressions = () => panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

describe('the alert rules and the dashboard', () => {
  it('name metrics alone that a server has', () => {
    expect(listUsed(rules).length).toBeGreaterThan(15);
    expect(listUsed(rules).filter((name) => !names.has(name))).toEqual([]);
    expect(listUsed(listExpressions().join('\n')).filter((name) => !names.has(name))).toEqual([]);
  });

  it('every metric is on the dashboard', () => {
    const used = new Set(listUsed(listExpressions().join('\n')));
    const missing = [...names].filter((name) => !used.has(name) && !/_(bucket|count|sum)$/.test(name));
    expect(missing).toEqual([]);
  });

  it('every alert is shown to fire by a test of its own', async () => {
    const tests = await readFile(path(rulesTestFile), 'utf8');
    const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name ?? '');
    expect(alerts.length).toBeGreaterThan(20);
    expect(alerts.filter((name) => !tests.includes(`alertname="${name}"`))).toEqual([]);
  });
});

describe.runIf(findPromtool())('promtool (Debian package prometheus) of deploy/', () => {
  it('the alert rules fire when their tests say, and not before', async () => {
    const checked = await runPromtool(['check', 'rules', path(rulesFile)]);
    expect(checked, checked.stderr).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await runPromtool(['test', 'rules', path(rulesTestFile)]);
    expect(code, stdout + stderr).toBe(0);
  });

  it('the queries of the dashboard can be read', async () => {
    const folder = await makeTempDir('dashboard-queries');
    const file = join(folder.path, 'queries.yml');
    const recorded = listExpressions().map((expr, index) => ({
      record: `query:${index}`,
      // As Grafana fills them in.
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
    }));
    // JSON is YAML too.
    await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: recorded }] }));
    const { code, stdout, stderr } = await runPromtool(['check', 'rules', file]);
    await folder.remove();
    expect(code, stdout + stderr).toBe(0);
    expect(recorded.length).toBeGreaterThan(30);
  });
});
