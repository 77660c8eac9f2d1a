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
      output: {
        codeSplitting: {
          // Few files a page: what every page needs; the login page and the parts that other forms share with it; the
          // menu; and the parts of the screens behind it.
          groups: [
            { name: 'core', tags: ['$initial'], test: /(?<!\.css)$/, priority: 4 },
            { name: 'sign-in', test: /web[\\/]account[\\/]login-screen/, priority: 3 },
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
