// The import law: who may know whom. `npm run check` takes every breach for an error.

const test = '(\\.test\\.tsx?|/test-[a-z-]+\\.tsx?)$|^web/src/test/';

/** graphile-worker brings its own tables and a pool of its own for them; no tenant's row is reached by it. */
const jobQueue = '^server/src/platform/jobs/';

/**
 * Which features a feature builds on, and what it takes from each. They are in order: each knows only those above it. What
 * is not said here is known by `app.ts` alone, and nobody else knows a feature's routes.
 */
const knownFeatures = {
  // Code lists, conditions and the places of the country: plain data that knows nobody.
  reference: {},
  // Shapes and codes of what senders report, before anything is looked up.
  reported: {},
  'case-rules': { reference: 'conditions, tests and organisms' },
  patients: { reference: 'states and counties', reported: 'the person of a report' },
  results: {
    reference: 'tests, codes and result texts',
    reported: 'the results of a report',
    'case-rules': 'what a rule reads in a result',
    patients: 'the columns of a person in the fact',
  },
  'case-reports': {
    reference: 'conditions and labels',
    reported: 'the answers and rows of a report',
    'case-rules': 'definitions, and what they decide',
    patients: 'whose case it is',
    results: 'what the history of a person says',
  },
  'work-tasks': {
    patients: 'the columns of a person in the fact',
    'case-reports': 'the case that they are about',
  },
  'operations-analytics': {
    'case-reports': 'the facts',
    results: 'the fact',
    'sample-shipments': 'the fact',
    'work-tasks': 'the fact',
  },
  'sample-shipments': { reference: 'restricted families, and names of specimens' },
  matches: {
    reference: 'restricted families',
    patients: 'the two records',
    'case-reports': 'cases judged again',
  },
  imports: {
    reference: 'conditions and labels',
    reported: 'the shapes into which it reads',
    'case-rules': 'which cases a finding is for',
    patients: 'who a report is about',
    results: 'what a report says',
    'case-reports': 'the cases of a batch',
    treatments: 'what a list of treatments tells',
  },
  treatments: {
    patients: 'the columns of a person in the fact',
    results: 'what counts as a test',
    'case-reports': 'the case that they are for',
  },
  'incident-reports': { reference: 'bands of ages', patients: 'the columns of a person in the facts' },
  'incident-analytics': { 'incident-reports': 'the facts' },
  telemedicine: {
    reference: 'bands of ages',
    patients: 'the columns of a person in the fact, and their consents',
  },
  'partner-services': {
    reference: 'bands of ages',
    patients: 'the columns of a person in the fact',
    'case-reports': 'the case whose partners are looked for',
  },
  contacts: { reference: 'the days of a condition', 'case-reports': 'the case to which they were exposed' },
  'field-visits': {
    reference: 'bands of ages',
    patients: 'the columns of a person in the facts',
    'case-reports': 'the case that they are about',
  },
  'visit-analytics': { 'field-visits': 'the facts', telemedicine: 'the fact' },
  'sti-analytics': { results: 'the fact', 'case-reports': 'the fact', treatments: 'the fact' },
  'testing-analytics': { reference: 'labels', results: 'the fact' },
  'case-report-analytics': { 'case-reports': 'the fact' },
  'hiv-analytics': {
    reference: 'bands of ages',
    patients: 'the columns of a person in the fact',
    results: 'what a test is, and what care is',
    'case-reports': 'the fact',
    'testing-analytics': 'lists of tests',
  },
  lookups: { reference: 'the lists that it offers' },
  places: { reference: 'states, counties and restricted families' },
  portal: {
    reference: 'labels and explanations',
    patients: 'the search keys of who corrects their own record, and their consents',
  },
  settings: {
    reference: 'restricted families, states and counties',
    imports: 'whether anything was imported',
  },
  search: {
    patients: 'people with similar names',
    'case-reports': 'their cases, as the reader is shown them',
  },
  waiting: {
    imports: 'codes of senders that nobody has mapped',
    matches: 'pairs that nobody has decided',
    recovery: 'who asks to get back into an account',
    'break-glass': 'accesses that nobody has reviewed',
  },
  roles: {},
  users: { roles: 'the role of an administrator' },
  system: {
    reference: 'states',
    settings: 'names of tenants',
    roles: 'the roles of a new tenant',
    users: 'the first administrator is invited as administrators invite users',
  },
};

/** The folders of the imports, each with the folders it builds on. */
const importFolders = {
  formats: [],
  batch: ['formats'],
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
      to: { path: '^server/(src/(features|commands)/|src/(app|bulk-servers|facts|main)\\.ts|seeds/|test/)' },
    },
    {
      name: 'server-feature-knows-itself-platform-and-contract',
      comment: 'And the features that `knownFeatures` gives it.',
      severity: 'error',
      from: {
        path: '^server/src/features/([^/]+)/',
        pathNot: [test, `^server/src/features/(${Object.keys(knownFeatures).join('|')})/`],
      },
      to: {
        path: '^server/',
        pathNot: ['^server/src/features/$1/', '^server/src/platform/', '^server/src/config\\.ts$'],
      },
    },
    ...Object.entries(knownFeatures).map(([feature, known]) => ({
      name: `${feature}-knows-what-it-builds-on`,
      severity: 'error',
      from: { path: `^server/src/features/${feature}/`, pathNot: test },
      to: {
        path: '^server/',
        pathNot: [
          `^server/src/features/${feature}/`,
          ...Object.keys(known).map((other) => `^server/src/features/${other}/(?!routes\\.ts$)`),
          '^server/src/platform/',
          '^server/src/config\\.ts$',
        ],
      },
    })),
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
      comment: 'Only app.ts, bulk-servers.ts, facts.ts, the commands and the seeds bring features together.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: [
          '^server/src/(features|commands)/',
          '^server/src/(app|bulk-servers|facts)\\.ts$',
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
