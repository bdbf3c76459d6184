import { defineConfig } from '@playwright/test';

/** Tests that visit every screen, or every role's menu. */
const everyScreen = ['**/screens.spec.ts', '**/names.spec.ts', '**/roles.spec.ts'];

/** Chromium features that are off. Only the last such list counts, so it includes Playwright's own. */
const switchedOff = [
  // Pages of the address bar, loaded with each window although never seen: half the cost of a window.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  // One server and one database per run: the stories import, so they run one after another.
  workers: 1,
  fullyParallel: false,
  // These end only hanging tests: with everything else running, a machine can be many times slower than
  // usual.
  timeout: 1_200_000,
  expect: { timeout: 90_000 },
  globalSetup: './server.ts',
  // `npm test` runs the stories and checks every screen in parallel, each with its own server.
  projects: [
    { name: 'stories', testIgnore: everyScreen, outputDir: 'test-results/stories' },
    {
      name: 'screens',
      testMatch: everyScreen,
      outputDir: 'test-results/screens',
      // No motion is checked here, and drawing it takes a twentieth of the time; the stories have it on.
      use: { contextOptions: { reducedMotion: 'reduce' } },
    },
  ],
  reporter: [
    ['list'],
    ...(process.env.E2E_JSON ? [['json', { outputFile: process.env.E2E_JSON }] as const] : []),
  ],
  use: {
    browserName: 'chromium',
    actionTimeout: 90_000,
    navigationTimeout: 90_000,
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    // Recording costs a fifth of the time: E2E_TRACE=1 records failures.
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${switchedOff.join(',')}`,
      ],
    },
  },
});
