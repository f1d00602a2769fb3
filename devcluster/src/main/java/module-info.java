import org.jspecify.annotations.NullMarked;

/** An embedded Kubernetes API server for development and tests; knows nothing of the framework. */
@NullMarked
module dev.kopf4j.devcluster {
    requires static transitive org.jspecify;
    requires cel;
    requires com.google.common;
    requires com.google.protobuf;
    requires dev.kopf4j.base;
    requires java.net.http;
    requires java.naming;
    requires org.slf4j;
    requires re2j;
    requires org.snakeyaml.engine;
    requires tools.jackson.databind;

    exports dev.kopf4j.devcluster;
    exports dev.kopf4j.devcluster.api;
    exports dev.kopf4j.devcluster.faultinjection;
}
