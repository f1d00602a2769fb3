package dev.kopf4j.cli.library;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import javax.tools.JavaFileManager;

/**
 * The libraries of this program that operators share with it: the public API, and those whose classes are in its
 * signatures or on the fields of users' types. Everything else that the program uses is its own business, so that
 * operators bring the versions that they like. Each is a place where the compiler looks for its packages only.
 */
enum SharedLibrary implements JavaFileManager.Location {
    API("kopf4j-core-", "dev.kopf4j dev.kopf4j.crd dev.kopf4j.rbac dev.kopf4j.spi dev.kopf4j.webhook", false),
    TYPES("kopf4j-types-", "dev.kopf4j.types", false),
    FABRIC8("kubernetes-", "io.fabric8.kubernetes", true),
    LOGGING("slf4j-api-", "org.slf4j", true),
    FIELD_NAMES("jackson-annotations-", "com.fasterxml.jackson.annotation", false),
    NULLNESS("jspecify-", "org.jspecify.annotations", false),
    /** For the compiler alone, which looks at all forms of fabric8's {@code unmarshal}, whichever is called. */
    TYPE_REFERENCES("jackson-core-2.", "com.fasterxml.jackson.core.type", false);

    private final String jars;
    private final String packages; // separated by spaces
    private final boolean withSubpackages;

    SharedLibrary(String jars, String packages, boolean withSubpackages) {
        this.jars = jars;
        this.packages = packages;
        this.withSubpackages = withSubpackages;
    }

    /** Returns the one that has the package; empty if it is not shared. */
    static Optional<SharedLibrary> of(String packageName) {
        return Arrays.stream(values()).filter(each -> each.has(packageName)).findFirst();
    }

    private boolean has(String packageName) {
        return packages()
                .anyMatch(each -> packageName.equals(each) || (withSubpackages && packageName.startsWith(each + ".")));
    }

    /** True if operators are given its classes; else they are only compiled with them. */
    boolean isLoaded() {
        return this != TYPE_REFERENCES;
    }

    /** True for the name of one of its jars in the distribution. */
    boolean isIn(String jar) {
        return jar.startsWith(jars);
    }

    Stream<String> packages() {
        return Arrays.stream(packages.split(" ", -1));
    }

    @Override
    public String getName() {
        return "kopf4j's " + name();
    }

    @Override
    public boolean isOutputLocation() {
        return false;
    }
}
