import './styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { followBrowser } from '../../platform/web/connection/connectivity.ts'
import { queryClient } from '../../platform/web/query-client.ts'
import { SessionProvider } from '../../platform/web/session.tsx'
import { Toasts } from '../../platform/web/ui/toast.tsx'
import { RecordingsKeeper } from '../../practice/web/aloud/recordings-keeper.tsx'
import { OutboxRunner } from '../../practice/web/use-outbox.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { Offline } from './offline/offline.tsx'
import { router } from './routes.tsx'

followBrowser()
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <RouterProvider router={router} />
          <OutboxRunner />
          <RecordingsKeeper />
          <ConnectionNotice />
          <Offline router={router} />
          <Toasts />
        </SessionProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}
