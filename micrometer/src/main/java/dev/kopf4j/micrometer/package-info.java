/** Binds an operator to a {@link io.micrometer.core.instrument.MeterRegistry}. */
package dev.kopf4j.micrometer;
