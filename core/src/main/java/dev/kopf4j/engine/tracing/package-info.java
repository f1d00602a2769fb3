/**
 * The one seam at which an operator's work is seen: the engine tells an {@link dev.kopf4j.engine.tracing.OperatorTrace}
 * of each {@link dev.kopf4j.engine.tracing.OperatorStep}. Metrics, the recorder, spans
 * ({@link dev.kopf4j.engine.tracing.SpanTrace}) and the tests hear there; nothing else of the engine has to change for
 * another one. A step carries what the engine has at hand, and is worked out by whoever wants to know.
 */
package dev.kopf4j.engine.tracing;
