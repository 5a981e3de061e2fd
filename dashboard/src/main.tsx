import '@mantine/core/styles.layer.css'
import '@fontsource-variable/inter/wght.css'
import './app.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { answer, Failure, GET } from './interface'
import { Gate } from './pages/gate'
import { router } from './router'
import { enter, leave, useSession } from './session'
import { cssVariables, theme } from './theme'

const BUSY_TRIES = 5

/**
 * A refusal is an answer, and asking again does not change it; only what was not answered is asked for once more, and
 * what the service says to ask for later.
 */
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, why) => why instanceof Failure && (why.isBusy ? count < BUSY_TRIES : count < 1 && why.isLost && why.status !== 500),
      retryDelay: (_, why) => (why instanceof Failure && why.isBusy ? (why.after ?? 1) * 1000 : 300),
    },
  },
})

function Dashboard() {
  const { user, isKnown } = useSession()
  useEffect(() => {
    if (!isKnown) answer(GET('/user')).then(enter, () => leave())
  }, [isKnown])
  // What one person was shown is not there for the next.
  useEffect(() => {
    if (user === null) queries.clear()
  }, [user])
  if (!isKnown) return null
  return user === null || user.merchant_id === null ? <Gate /> : <RouterProvider router={router} key={user.merchant_id} />
}

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queries}>
        <Dashboard />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
