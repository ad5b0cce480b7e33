/**
 * The directions in which code may import. Every rule has a file in tools/fixtures/architecture that breaks it, and
 * `npm run check` fails when one of them goes unnoticed.
 */

const tests = '\\.(test|fixture)\\.tsx?$|/testing/|/testing\\.ts$|^packages/testkit/|^tests/|^bench/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Two files that need each other are one subject, or one of them holds what belongs in a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'nothing-unresolved',
      comment: 'An import that leads nowhere hides from every other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'contract-stands-alone',
      comment: 'The contract is read by server, console and tests: it knows none of them.',
      severity: 'error',
      from: { path: '^packages/contract/' },
      to: { path: '^(apps|packages|tests|bench)/', pathNot: '^packages/contract/' },
    },
    {
      name: 'link-stands-alone',
      comment: 'Both ends of the device link share it, so it belongs to neither.',
      severity: 'error',
      from: { path: '^packages/link/', pathNot: tests },
      to: { path: '^(apps|packages|tests|bench)/', pathNot: '^packages/link/' },
    },
    {
      name: 'collector-above-link',
      comment: 'Agent and server collect with it: it knows what telemetry is, and none of them.',
      severity: 'error',
      from: { path: '^packages/collector/', pathNot: tests },
      to: { path: '^(apps|packages|tests|bench)/', pathNot: '^packages/(collector|link)/' },
    },
    {
      name: 'frp-above-link',
      comment:
        'A protocol of others: it knows none of our apps. How streams are cut and counted is the link’s.',
      severity: 'error',
      from: { path: '^packages/frp/', pathNot: tests },
      to: { path: '^(apps|packages|tests|bench)/', pathNot: '^packages/(frp|link)/' },
    },
    {
      name: 'embedded-postgres-above-files',
      comment:
        'It runs and moves a PostgreSQL for whoever asks; of its tables and their owner it knows nothing.',
      severity: 'error',
      from: { path: '^packages/embedded-postgres/', pathNot: tests },
      to: { path: '^(apps|packages|tests|bench)/', pathNot: '^packages/(embedded-postgres|files)/' },
    },
    {
      name: 'files-stands-alone',
      comment: 'Locks and durable files are of a machine, not of a program.',
      severity: 'error',
      from: { path: '^packages/files/', pathNot: tests },
      to: { path: '^(apps|packages|tests|bench)/', pathNot: '^packages/files/' },
    },
    {
      name: 'no-other-app',
      comment: 'Apps meet in packages.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'platform-knows-no-feature',
      comment: 'The platform does I/O for features and must work without any of them.',
      severity: 'error',
      from: { path: '^apps/[^/]+/src/(platform|config)/', pathNot: tests },
      to: { path: '^apps/[^/]+/src/(features|app)/|^apps/[^/]+/src/(compose|main)\\.ts$' },
    },
    {
      name: 'shared-knows-no-feature',
      comment: "The console's shared parts serve every feature and must work without any of them.",
      severity: 'error',
      from: { path: '^apps/console/src/shared/', pathNot: tests },
      to: { path: '^apps/console/src/(features|app)/' },
    },
    {
      name: 'feature-by-its-index',
      comment: "A feature's index.ts is all that another feature may use of it.",
      severity: 'error',
      from: { path: '^apps/([^/]+)/src/features/([^/]+)/', pathNot: tests },
      to: {
        path: '^apps/$1/src/features/[^/]+/',
        pathNot: '^apps/$1/src/features/($2/|[^/]+/index\\.tsx?$)',
      },
    },
    {
      name: 'link-behind-device-connection',
      comment:
        'Features reach devices by DeviceConnection, whatever kind it is; only the native kind, and how its devices enrol, know the link. Its QR codes are of terminals.',
      severity: 'error',
      from: {
        path: '^apps/server/src/features/',
        pathNot: `^apps/server/src/features/devices/(native-link/|device-data\\.|device-proofs\\.|enrolments\\.|activation-token\\.)|${tests}`,
      },
      to: { path: '^packages/link/', pathNot: '^packages/link/src/terminal-qr\\.ts$' },
    },
    {
      name: 'service-below-routes',
      comment: 'Rules do not know by which call they were reached.',
      severity: 'error',
      from: { path: '\\.service\\.ts$' },
      to: { path: '\\.routes\\.ts$' },
    },
    {
      name: 'repository-below-service',
      comment: 'SQL does not know the rules that use it.',
      severity: 'error',
      from: { path: '\\.repository\\.ts$' },
      to: { path: '\\.(service|routes)\\.ts$' },
    },
    {
      name: 'routes-through-service',
      comment: 'A route that reads the database itself goes round the rules and the tenant scope.',
      severity: 'error',
      from: { path: '\\.routes\\.ts$' },
      to: { path: '\\.repository\\.ts$' },
    },
    {
      name: 'no-http-below-routes',
      comment: 'Rules and SQL run without a web server.',
      severity: 'error',
      from: { path: '\\.(service|repository)\\.ts$' },
      to: { path: 'node_modules/(@?fastify)/' },
    },
    {
      name: 'no-sql-above-repositories',
      comment: 'SQL outside repositories escapes the tenant scope that each of their methods demands.',
      severity: 'error',
      from: { path: '^apps/server/src/features/', pathNot: `\\.repository\\.ts$|${tests}` },
      to: { path: 'node_modules/(@types/)?(kysely|pg)/' },
    },
    {
      name: 'no-tools-in-production',
      comment: 'A start installs no development dependency: what runs, or is bundled, is a dependency.',
      severity: 'error',
      from: {
        path: '^(apps/(agent|cli|console|server)|packages/(collector|contract|embedded-postgres|files|frp|link))/src/',
        pathNot: tests,
      },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-tests-in-production',
      comment: 'What ships is built without the tests.',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: tests },
      to: { path: tests },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(apps|packages)/[^/]+/dist/' },
    // Types count too: a rule that a type may break is no rule.
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'browser', 'default', 'require'],
      mainFields: ['module', 'main', 'types', 'typings'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.d.ts', '.json'],
    },
  },
};
