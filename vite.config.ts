import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { leanContract } from './app/build/lean-contract.ts'
import { preloadDashboard } from './app/build/preload-dashboard.ts'
import { offlineWorker } from './app/build/worker-plugin.ts'
import { contentPages, preloadFonts, prerenderedLanding } from './pages/build/vite-pages.ts'
import { countServedQuestions, readSampleQuestions } from './practice/server/sample-questions.ts'

// In development the page comes from Vite and the calls go to the server that tools/dev.mjs starts.
const api = process.env.API_URL ?? 'http://127.0.0.1:3000'

const ROUTER = path.join(import.meta.dirname, 'node_modules/react-router/dist/production')

const bank = { readQuestions: readSampleQuestions, countQuestions: countServedQuestions }

export default defineConfig({
  root: 'app/web',
  plugins: [
    contentPages(bank),
    react(),
    tailwindcss(),
    leanContract(),
    preloadFonts(),
    preloadDashboard(),
    prerenderedLanding(bank),
    offlineWorker(),
  ],
  resolve: {
    // The package leads to its development build, which has warnings more.
    alias: [
      { find: /^react-router$/, replacement: path.join(ROUTER, 'index.mjs') },
      { find: /^react-router\/dom$/, replacement: path.join(ROUTER, 'dom-export.mjs') },
    ],
  },
  build: {
    outDir: '../../dist',
    // bench/ reads from it which files a screen loads.
    manifest: true,
    emptyOutDir: true,
    target: 'es2022',
    // Fonts and icons as files: the Content-Security-Policy allows no data: fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    // Two pages: the landing page without the application, and the application.
    rolldownOptions: {
      // A schema that nothing reads is left out.
      treeshake: { manualPureFunctions: ['z'] },
      input: ['index.html', 'landing.html'].map((page) =>
        path.join(import.meta.dirname, 'app', 'web', page),
      ),
      output: {
        // A slow phone waits for each file, and text packs better in one. No group brings much that a screen
        // which imports one of its modules does not use.
        codeSplitting: {
          groups: [
            // what both pages begin with
            {
              name: 'base',
              test: /node_modules[\\/](react|react-dom|scheduler)[\\/]|web[\\/]ui[\\/](theme-switch|option-keys)\.|platform[\\/]urls\.|arrow-right\.|web[\\/]styles\.css|\0vite[\\/]/,
              priority: 4,
            },
            // what the application begins with
            { name: 'app', tags: ['$initial'], test: /^(?!.*landing)/, priority: 3 },
            // what screens of all rooms have in common
            {
              name: 'shared',
              test: /[\\/](platform|lucide-react|@tanstack)[\\/]|sitting[\\/]ticks\./,
              minShareCount: 8,
              priority: 2,
            },
            // what the dashboard has in common with the other screens of practice
            {
              name: 'today',
              test: /practice[\\/]web[\\/]((dashboard|charts)[\\/]|plan[\\/](words|role-names|todays-parts)\.|quiz[\\/](quiz-draft|unfinished)\.|tests[\\/]use-titles\.|(ahead|ledger-cells|streak-week|topics|ways)\.)|daily-timer\.|answer-pair\.|use-today\./,
              minShareCount: 2,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  // With the slash at its end: /api.ts is a file of the page.
  server: { strictPort: true, proxy: { '/api/': api, '/auth/v1/': api } },
})
