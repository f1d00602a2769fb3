import org.jspecify.annotations.NullMarked;

/** Makes OpenTelemetry's spans of what an operator does. */
@NullMarked
module dev.kopf4j.opentelemetry {
    requires static transitive org.jspecify;
    requires transitive dev.kopf4j.core;
    requires transitive io.opentelemetry.api;
    requires io.opentelemetry.context;

    provides dev.kopf4j.Tracing with
            dev.kopf4j.opentelemetry.OpenTelemetryTracing;

    exports dev.kopf4j.opentelemetry;
}
