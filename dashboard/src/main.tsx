import '@mantine/core/styles.layer.css'
import '@fontsource-variable/inter/wght.css'
import './app.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Failure } from './interface'
import { SignIn } from './pages/sign-in'
import { router } from './router'
import { useSession } from './session'
import { cssVariables, theme } from './theme'

/** A refusal is an answer, and asking again does not change it; only what was not answered is asked for once more. */
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, why) => count < 1 && why instanceof Failure && why.isLost && why.status !== 500,
      retryDelay: 300,
    },
  },
})

function Dashboard() {
  const { key } = useSession()
  if (key === null) {
    queries.clear()
    return <SignIn />
  }
  return <RouterProvider router={router} />
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
