import { type Context as ParentSpan, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Context, Log, Reply } from '../context.ts'

/** The trace of one request. `around`: wraps a context, so that its commits and calls are spans of their own. */
export type Trace = {
  trace_id: string
  around(context: Context): Context
  end(status: number, facts: Record<string, string | number>): void
}

/** The caller's own trace, if there is a `traceparent` (https://www.w3.org/TR/trace-context/). */
function contextOf(traceparent: string | undefined): ParentSpan {
  const [, traceId, spanId, flags] = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})/.exec(traceparent ?? '') ?? []
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags!, 16) & 1, isRemote: true })
}

/** By `OTEL_TRACES_SAMPLER` and its `_ARG`; by default all, unless a caller's own trace is not sampled. */
function samplerOf(env: Record<string, string | undefined>): Sampler {
  const { OTEL_TRACES_SAMPLER: name = 'parentbased_always_on', OTEL_TRACES_SAMPLER_ARG: share = '1' } = env
  const plain = name.replace('parentbased_', '')
  const root =
    plain === 'always_off'
      ? new AlwaysOffSampler()
      : plain === 'traceidratio'
        ? new TraceIdRatioBasedSampler(Number(share))
        : new AlwaysOnSampler()
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

/** Returns the pause between two exports in ms, as `OTEL_BSP_SCHEDULE_DELAY` sets it; by default the library's. */
function delayOf({ OTEL_BSP_SCHEDULE_DELAY }: Record<string, string | undefined>): { scheduledDelayMillis?: number } {
  const delay = Number(OTEL_BSP_SCHEDULE_DELAY)
  return delay > 0 ? { scheduledDelayMillis: delay } : {}
}

async function inside<T>(
  span: Span,
  work: () => Promise<T>,
  facts: (result: T) => { failed: boolean; [name: string]: string | number | boolean },
): Promise<T> {
  try {
    const result = await work()
    const { failed, ...attributes } = facts(result)
    span.setAttributes(attributes)
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
    return result
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' })
    throw error
  } finally {
    span.end()
  }
}

const attributesOf = (reply: Reply) =>
  reply.is === 'reply'
    ? { failed: reply.status >= 500, 'http.response.status_code': reply.status }
    : { failed: true, 'switchyard.outcome': reply.is }

/**
 * OpenTelemetry over OTLP (`OTEL_EXPORTER_OTLP_*`). Spans contain names, ids and hosts, never the content of a request
 * or an answer. They are sent in the background: a failing collector costs only the spans.
 */
export function openTraces(env: Record<string, string | undefined>, log: Log, exporter: SpanExporter = new OTLPTraceExporter()) {
  const provider = new TracerProvider({
    sampler: samplerOf(env),
    resource: resourceFromAttributes({ 'service.name': env.OTEL_SERVICE_NAME || 'switchyard' }),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...delayOf(env) })],
  })
  const tracer: Tracer = provider.getTracer('switchyard')

  const traced =
    (send: Context['send'], kind: string, parent: ParentSpan): Context['send'] =>
    (request, sender) => {
      const address = URL.canParse(request.url) ? new URL(request.url).host : ''
      const attributes = {
        'http.request.method': request.method,
        'server.address': address,
        'switchyard.merchant_id': sender.merchant_id,
        'switchyard.merchant_connector_id': sender.merchant_connector_id,
      }
      const span = tracer.startSpan(`${kind} ${request.method}`, { kind: SpanKind.CLIENT, attributes }, parent)
      return inside(span, () => send(request, sender), attributesOf)
    }

  const around = (context: Context, parent: ParentSpan): Context => ({
    ...context,
    commit: change => {
      const span = tracer.startSpan(`commit ${change.head}`, { attributes: { 'switchyard.event': change.event.type } }, parent)
      return inside(
        span,
        () => context.commit(change),
        result => ({ failed: false, 'switchyard.written': result.is === 'written' }),
      )
    },
    send: traced(context.send, 'processor', parent),
  })

  return {
    begin(name: string, headers: Record<string, string | string[] | undefined>): Trace {
      const { traceparent } = headers
      const parent = contextOf(typeof traceparent === 'string' ? traceparent : undefined)
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, parent)
      const own = trace.setSpan(parent, span)
      return {
        trace_id: span.spanContext().traceId,
        around: context => around(context, own),
        end(status, facts) {
          span.setAttributes({ 'http.response.status_code': status, ...facts })
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    /** Returns the context of work without a request: each of its steps is a trace of its own. */
    alone: (context: Context): Context => ({ ...around(context, ROOT_CONTEXT), deliver: traced(context.deliver, 'webhook', ROOT_CONTEXT) }),
    close: (): Promise<void> =>
      provider.shutdown().catch((error: unknown) => log.warn({ err: error }, 'the last traces could not be sent')),
  }
}
export type Traces = ReturnType<typeof openTraces>
