import org.jspecify.annotations.NullMarked;

/** Reports to Micrometer what an operator counts and measures. */
@NullMarked
module dev.kopf4j.micrometer {
    requires static transitive org.jspecify;
    requires transitive dev.kopf4j.core;
    requires transitive micrometer.core;

    exports dev.kopf4j.micrometer;
}
