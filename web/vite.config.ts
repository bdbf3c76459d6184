import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = `http://localhost:${process.env.PORT ?? 8080}`;

export default defineConfig({
  plugins: [react()],
  // Served from the root path. [S2.4]
  base: '/',
  build: {
    target: 'es2023',
    // The content security policy allows no data: addresses for fonts and images.
    assetsInlineLimit: 0,
    // The county shapes of the map are the largest; they come with the map alone.
    chunkSizeWarningLimit: 900,
    manifest: true,
  },
  server: {
    port: Number(process.env.WEB_PORT ?? 5173),
    proxy: { '/api': server, '/auth': server },
  },
});
