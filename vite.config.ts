import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractForBrowser, limitsForBrowser, routerForBrowser } from './build/lighter-modules.ts'

/** The browser's part. build/build.ts runs it twice: for the browser, and for Node to prerender with. */
export default defineConfig({
  plugins: [contractForBrowser(), limitsForBrowser(), routerForBrowser(), react()],
  // Files name each other relatively, so one build can be served from any assets directory (HTT-2).
  base: './',
  publicDir: false,
  build: {
    target: 'es2023',
    // Inlined files would be `data:` addresses, which the policy for fonts does not allow (R64).
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Only what is used of them is loaded.
      treeshake: { moduleSideEffects: [{ test: /@simplewebauthn|[\\/]contract[\\/]/, sideEffects: false }] },
      output: {
        codeSplitting: {
          // Few files a page: what every page needs, which includes the login page; the menu; and the parts of the screens
          // behind it.
          groups: [
            { name: 'core', test: /web[\\/](?:main|account[\\/]login-screen)\.tsx$/, priority: 4 },
            // Loaded by the login page once it is shown, where there can be passkeys: it must not bring the menu.
            { name: 'passkeys', test: /web[\\/](?:account[\\/]passkey-entry|step-up[\\/]passkey-device)/, priority: 3 },
            // Loaded by the signed-out pages when a call fails.
            { name: 'failures', test: /web[\\/]text[\\/]failure-text/, priority: 2 },
            {
              name: 'blocks',
              test: /web[\\/](?:art[\\/]|ui[\\/](?:badge|region|skeleton|empty|copy-button))/,
              priority: 2,
            },
            {
              name: 'legal',
              test: /web[\\/](?:legal[\\/]legal-page|ui[\\/]prose)|contract[\\/]legal[\\/]legal-sections/,
              priority: 2,
            },
            { name: 'menu', test: /web[\\/]layouts[\\/](?:default|focus)-layout/, priority: 1 },
          ],
        },
      },
    },
  },
})
