import org.jspecify.annotations.NullMarked;

/** Makes custom resource definitions of Java types, and Java types of custom resource definitions. */
@NullMarked
module dev.kopf4j.types {
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.annotation;
    requires dev.kopf4j.base;
    requires transitive dev.kopf4j.core;
    requires jdk.compiler; // comments are in sources only
    requires org.snakeyaml.engine;
    requires tools.jackson.databind;

    exports dev.kopf4j.types;
}
