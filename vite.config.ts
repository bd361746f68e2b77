import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// In development the page comes from Vite and the calls go to the server that tools/dev.mjs starts.
const api = process.env.API_URL ?? 'http://127.0.0.1:3000'

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist',
    // bench/ reads from it which files a screen loads.
    manifest: true,
    emptyOutDir: true,
    target: 'es2022',
    // Fonts and icons as files: the Content-Security-Policy allows no data: fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  // With the slash at its end: /api.ts is a file of the page.
  server: { strictPort: true, proxy: { '/api/': api, '/auth/v1/': api } },
})
