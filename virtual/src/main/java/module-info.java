import org.jspecify.annotations.NullMarked;

/**
 * A dev cluster and operators in one simulation, without sockets. Not an API: for the tests of operators and for plans.
 */
@NullMarked
module dev.kopf4j.virtual {
    requires static transitive org.jspecify;
    requires dev.kopf4j.core;
    requires dev.kopf4j.devcluster;

    exports dev.kopf4j.virtual to
            dev.kopf4j.cli; // the module of tests is none of Java
}
