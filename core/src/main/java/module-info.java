import org.jspecify.annotations.NullMarked;

/** The framework: watches the cluster, detects what happened to objects, runs handlers, remembers their progress. */
@NullMarked
module dev.kopf4j.core {
    requires static transitive org.jspecify;
    requires transitive org.slf4j;
    requires jdk.httpserver;
    requires jdk.unsupported; // signals
    requires dev.kopf4j.base;
    requires org.apache.httpcomponents.core5.httpcore5;
    requires org.snakeyaml.engine;
    requires tools.jackson.databind;

    uses dev.kopf4j.spi.Integration;
    uses dev.kopf4j.Tracing;

    exports dev.kopf4j;
    exports dev.kopf4j.crd;
    exports dev.kopf4j.rbac;
    exports dev.kopf4j.spi;
    exports dev.kopf4j.webhook;
    exports dev.kopf4j.client.tls to
            dev.kopf4j.fabric8; // the one place that knows all forms of certificates and keys
    exports dev.kopf4j.client.socket to
            dev.kopf4j.fabric8; // whose requests go through the same proxy
    exports dev.kopf4j.engine to
            dev.kopf4j.cli, // commands about peering and webhooks
            dev.kopf4j.virtual;
    exports dev.kopf4j.engine.admission.configuration to
            dev.kopf4j.cli; // which prints webhook configurations
    exports dev.kopf4j.engine.leaderelection to
            dev.kopf4j.cli; // which tells which replica acts
    exports dev.kopf4j.engine.rights to
            dev.kopf4j.cli; // which makes roles of them
    exports dev.kopf4j.engine.sharding to
            dev.kopf4j.cli; // which tells who has an object
    exports dev.kopf4j.runtime to
            dev.kopf4j.cli, // whose commands stop by the signals that operators stop by
            dev.kopf4j.virtual;
    exports dev.kopf4j.integration to
            dev.kopf4j.types; // kinds of types
    // Operators in a simulation, and what they are seen to do there.
    exports dev.kopf4j.client.login to
            dev.kopf4j.virtual;
    exports dev.kopf4j.client.transport to
            dev.kopf4j.cli,
            dev.kopf4j.virtual;
    exports dev.kopf4j.engine.recording to
            dev.kopf4j.cli;
    exports dev.kopf4j.engine.console to
            dev.kopf4j.cli; // the console of an embedded cluster
    exports dev.kopf4j.engine.http to
            dev.kopf4j.cli;
    exports dev.kopf4j.engine.tracing to
            dev.kopf4j.cli,
            dev.kopf4j.virtual;
    // The command line looks after the objects of operators, and explains what they would do.
    exports dev.kopf4j.client.api to
            dev.kopf4j.cli;
    exports dev.kopf4j.client.error to
            dev.kopf4j.cli;
    exports dev.kopf4j.client.request to
            dev.kopf4j.cli;
    exports dev.kopf4j.engine.cause to
            dev.kopf4j.cli;
    exports dev.kopf4j.engine.children to
            dev.kopf4j.cli;
    exports dev.kopf4j.engine.cycle to
            dev.kopf4j.cli;
    exports dev.kopf4j.engine.injection to
            dev.kopf4j.cli,
            dev.kopf4j.spring; // which finds handlers of beans as the operator does
    exports dev.kopf4j.engine.intervention to
            dev.kopf4j.cli;
    exports dev.kopf4j.engine.declaration to
            dev.kopf4j.cli;
    exports dev.kopf4j.engine.call to
            dev.kopf4j.cli;
    exports dev.kopf4j.engine.observation to
            dev.kopf4j.cli;
    exports dev.kopf4j.engine.orchestration to
            dev.kopf4j.cli;
    exports dev.kopf4j.engine.pausing to
            dev.kopf4j.cli;
    exports dev.kopf4j.engine.peering to
            dev.kopf4j.cli;
    exports dev.kopf4j.object to
            dev.kopf4j.cli;
    exports dev.kopf4j.persistence to
            dev.kopf4j.cli;
    exports dev.kopf4j.persistence.conventions to
            dev.kopf4j.cli;
}
