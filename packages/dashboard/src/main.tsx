import './styles/mantine-components.css'
import '@fontsource-variable/inter/wght.css'
import './styles/index.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { answer, Failure, GET } from './api'
import { SignIn } from './pages/sign-in'
import { router } from './router'
import { enter, leave, useSession } from './session'
import { cssVariables, theme } from './theme'

const BUSY_TRIES = 5

/**
 * The client of all queries. A refusal is final, so it is not retried. A request without an answer is retried once; a
 * request that the service asks to repeat later is retried after that time.
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
  // After a sign-out the cached data are deleted, so that the next user does not see them.
  useEffect(() => {
    if (user === null) queries.clear()
  }, [user])
  if (!isKnown) return null
  return user === null || user.merchant_id === null ? <SignIn /> : <RouterProvider router={router} key={user.merchant_id} />
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
