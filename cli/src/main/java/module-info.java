import org.jspecify.annotations.NullMarked;

/** The program {@code kopf4j}: runs operators from source files, and the embedded cluster. Its parts are not an API. */
@NullMarked
module dev.kopf4j.cli {
    requires static transitive org.jspecify;
    requires ch.qos.logback.classic;
    requires ch.qos.logback.core;
    requires dev.kopf4j.base;
    requires dev.kopf4j.core;
    requires dev.kopf4j.devcluster;
    requires dev.kopf4j.types;
    requires dev.kopf4j.virtual;
    requires eu.maveniverse.maven.mima.context;
    requires info.picocli;
    requires java.compiler;
    requires java.net.http;
    requires jdk.unsupported; // signals
    requires static org.apache.maven.resolver; // a jar with all parts of it has it in the end
    requires static org.apache.maven.resolver.util;
    requires org.slf4j;
    requires org.snakeyaml.engine;
    requires tools.jackson.databind;

    opens dev.kopf4j.cli to
            info.picocli;
}
