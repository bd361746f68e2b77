import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { offlineWorker } from './app/build/worker-plugin.ts'
import { contentPages, preloadFonts, prerenderedLanding } from './pages/build/vite-pages.ts'
import { countServedQuestions, readSampleQuestions } from './practice/server/sample-questions.ts'

// In development the page comes from Vite and the calls go to the server that tools/dev.mjs starts.
const api = process.env.API_URL ?? 'http://127.0.0.1:3000'

const bank = { readQuestions: readSampleQuestions, countQuestions: countServedQuestions }

export default defineConfig({
  root: 'app/web',
  plugins: [
    contentPages(bank),
    react(),
    tailwindcss(),
    preloadFonts(),
    prerenderedLanding(bank),
    offlineWorker(),
  ],
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
      input: ['index.html', 'landing.html'].map((page) =>
        path.join(import.meta.dirname, 'app', 'web', page),
      ),
      output: {
        // What both pages begin with, in one file: a slow phone waits for each.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules[\\/](react|react-dom|scheduler)[\\/]|web[\\/]ui[\\/]theme-switch\./,
            },
          ],
        },
      },
    },
  },
  // With the slash at its end: /api.ts is a file of the page.
  server: { strictPort: true, proxy: { '/api/': api, '/auth/v1/': api } },
})
