package dev.kopf4j.cli.source;

import java.util.function.Predicate;

/** Accepts the binary names of a class and those nested in it, or of the classes of a package. Pure. */
record ClassOrPackage(String name) implements Predicate<String> {
    @Override
    public boolean test(String className) {
        return className.equals(name)
                || className.startsWith(name + "$")
                || (className.startsWith(name + ".") && className.indexOf('.', name.length() + 1) < 0);
    }
}
