package dev.kopf4j.cli.cluster;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.source.LoadedClasses;
import dev.kopf4j.types.CustomResourceDefinitions;
import dev.kopf4j.types.Descriptions;
import dev.kopf4j.types.TypeException;
import java.util.List;
import java.util.Map;

/** The custom resource definitions of an operator's types. Pure but for the sources, whose comments describe them. */
public final class GeneratedDefinitions {
    private GeneratedDefinitions() {}

    /**
     * The definitions; none if no type has {@code @CustomResource}.
     *
     * @throws CommandException if a type cannot be one; the message says why
     */
    public static List<Map<String, Object>> of(LoadedClasses loaded) {
        List<Class<?>> types = loaded.customResources();
        if (types.isEmpty()) {
            return List.of();
        }
        try {
            return CustomResourceDefinitions.of(types, Descriptions.of(loaded.sources()));
        } catch (TypeException e) {
            throw CommandException.sources(String.valueOf(e.getMessage()));
        }
    }
}
