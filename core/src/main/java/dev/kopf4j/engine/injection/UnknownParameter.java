package dev.kopf4j.engine.injection;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.text.NearestWord;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Collection;

/** What is said of a parameter that nobody knows: what was probably meant, and all that is possible. Pure. */
final class UnknownParameter {
    private UnknownParameter() {}

    static HandlerDeclarationException of(
            Method method, Parameter parameter, Collection<String> names, String possible) {
        return HandlerMethods.mistake(method, parameter, problem(parameter, names) + possible);
    }

    private static String problem(Parameter parameter, Collection<String> names) {
        if (!parameter.isNamePresent()) {
            return "its name is not known, as the class was compiled without -parameters: add that option to javac"
                    + " (in Maven <maven.compiler.parameters>true</maven.compiler.parameters>, in Gradle"
                    + " options.compilerArgs.add(\"-parameters\")); ";
        }
        String name = parameter.getName();
        return NearestWord.likely(name, names)
                .map(meant -> meant.equals(name)
                        ? "'" + name + "' has another type; "
                        : "it is not known what to give to it; did you mean '" + meant + "'? Else: ")
                .orElse("it is not known what to give to it; ");
    }
}
