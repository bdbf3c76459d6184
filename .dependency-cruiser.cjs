// The import law: who may know whom. `npm run check` takes every breach for an error.

const test = '(\\.test\\.tsx?|/test-[a-z-]+\\.tsx?)$';

/** graphile-worker brings its own tables and a pool of its own for them; no tenant's row is reached by it. */
const jobQueue = '^server/src/platform/jobs/';

/** Features that may know another, and why. */
const allowedEdges = [
  // Code lists and places: plain data without tables or endpoints, whose labels and rules every feature goes by.
  '^server/src/features/reference/(catalog|names-of-tests|places|schema|specimen-labels)\\.ts$',
  // Case rules: pure functions without tables or endpoints, by which imports decide about cases.
  '^server/src/features/case-rules/(criteria|decide|evaluate|findings|outcome|rules|same-case)\\.ts$',
  // What every fact has of the person whom it is about: plain SQL.
  '^server/src/features/patients/person-columns\\.ts$',
  // A person who makes a tenant invites its first administrator as an administrator invites users.
  '^server/src/features/users/(changes|invitation)\\.ts$',
];

/** The folders of the imports, each with the folders it builds on. */
const importFolders = {
  names: [],
  codes: ['names'],
  formats: ['codes', 'names'],
  matching: ['names'],
  cases: ['codes', 'matching'],
  batch: ['cases', 'codes', 'formats', 'matching', 'names'],
  pairs: ['batch', 'cases', 'matching'],
  running: ['batch', 'formats'],
};

module.exports = {
  forbidden: [
    {
      name: 'contract-imports-zod-alone',
      comment: 'What browser and server agree on has no Node, no React and no input or output.',
      severity: 'error',
      from: { path: '^contract/src/', pathNot: test },
      to: { pathNot: ['^contract/src/', '^node_modules/zod/'] },
    },
    {
      name: 'platform-knows-no-feature',
      severity: 'error',
      from: { path: '^server/src/platform/', pathNot: test },
      to: { path: '^server/(src/(features|commands)/|src/(app|facts|main)\\.ts|seeds/|test/)' },
    },
    {
      name: 'server-feature-knows-itself-platform-and-contract',
      severity: 'error',
      from: { path: '^server/src/features/([^/]+)/', pathNot: test },
      to: {
        path: '^server/',
        pathNot: [
          '^server/src/features/$1/',
          '^server/src/platform/',
          '^server/src/config\\.ts$',
          ...allowedEdges,
        ],
      },
    },
    ...Object.entries(importFolders).map(([folder, known]) => ({
      name: `imports-${folder}-knows-what-it-builds-on`,
      comment: 'Each folder of the imports builds on those below it. Shapes may come from anywhere.',
      severity: 'error',
      from: { path: `^server/src/features/imports/${folder}/`, pathNot: test },
      to: {
        path: '^server/src/features/imports/',
        pathNot: [
          `^server/src/features/imports/(${[folder, ...known].join('|')})/`,
          '^server/src/features/imports/(?!actions|heard|import-file|import-grid|queries|routes)[^/]+$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    })),
    {
      name: 'app-assembles-the-server',
      comment: 'Only app.ts, facts.ts, the commands and the seeds bring features together.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: [
          '^server/src/(features|commands)/',
          '^server/src/(app|facts)\\.ts$',
          '^server/(seeds|test)/',
          test,
        ],
      },
      to: { path: '^server/src/features/' },
    },
    {
      name: 'one-door-to-the-data',
      comment: 'A connection of one’s own would see what no scope allows; withScope is the only way to it.',
      severity: 'error',
      from: {
        path: '^(server|bench)/',
        pathNot: ['^server/src/platform/db/', jobQueue, '^server/(test|citus)/', test, '^bench/'],
      },
      to: { path: '^node_modules/(pg|pg-copy-streams|pg-pool)/' },
    },
    {
      name: 'web-ui-knows-no-feature',
      severity: 'error',
      from: { path: '^web/src/ui/', pathNot: test },
      to: { path: '^web/src/(features|session|shell)/|^web/src/routes\\.tsx$' },
    },
    {
      name: 'web-feature-knows-itself',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/', pathNot: test },
      to: { path: ['^web/src/features/', '^web/src/routes\\.tsx$'], pathNot: '^web/src/features/$1/' },
    },
    {
      name: 'routes-assembles-the-screens',
      severity: 'error',
      from: { path: '^web/src/', pathNot: ['^web/src/features/', '^web/src/routes\\.tsx$', test] },
      to: { path: '^web/src/features/' },
    },
    {
      name: 'tiers-meet-in-the-contract',
      severity: 'error',
      from: { path: '^(web|server)/', pathNot: test },
      to: { path: '^(web|server|e2e|bench|scripts)/', pathNot: '^$1/' },
    },
    {
      name: 'no-circle',
      comment: 'Each of two that need one another can be understood only with the other.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      from: {},
      // Packages of types alone, which only the type checker knows.
      to: { couldNotResolve: true, pathNot: '^(geojson|topojson-specification)$' },
    },
    {
      name: 'no-test-in-the-product',
      severity: 'error',
      from: {
        pathNot: [
          test,
          '^(server/test|server/citus|e2e|bench)/',
          'vitest\\.config\\.ts$',
          'vite\\.config\\.ts$',
        ],
      },
      to: {
        path: [test, '^server/test/', '^node_modules/(vitest|fast-check|@testing-library|@playwright)/'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    // TypeScript 7 has no compiler interface for programs yet.
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
