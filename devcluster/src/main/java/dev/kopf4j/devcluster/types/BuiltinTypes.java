package dev.kopf4j.devcluster.types;

import dev.kopf4j.devcluster.file.BesideClass;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;

/**
 * All built-in types. Thread-safe; each type is read on first use.
 *
 * <p>A line of {@code types.txt} is a type and its fields, separated by spaces; {@code ^} behind the type says that
 * apply takes it as one value. A field is {@code name:form} and flags. Forms: {@code s} string, {@code i} integer,
 * {@code l} integer of 64 bits, {@code b} boolean, {@code f} number, {@code q} quantity, {@code x} integer or string,
 * {@code t} and {@code u} times, {@code y} bytes, {@code a} anything, {@code j} schema or boolean, {@code d} schema or
 * strings, <code>[F</code> list, <code>{F</code> map, {@code #T} object. Flags: {@code *} absent differs from empty,
 * {@code !} written even when empty, {@code ~key} merged by strategic patches, {@code &} retains keys, {@code @keys}
 * element keys for apply ({@code @} alone: a set), {@code ^} a map that is one value. Behind {@code =} stands the field
 * number in protobuf.
 */
public final class BuiltinTypes {
    /** The type of a schema in a definition. */
    static final String SCHEMA = "apiextensions.v1.JSONSchemaProps";

    private static final BuiltinTypes INSTANCE = new BuiltinTypes();
    private final Map<String, String> lines = new HashMap<>();
    private final Map<String, Map<String, JsonNode>> defaults = new HashMap<>();
    private final Map<String, StructType> types = new ConcurrentHashMap<>();

    private BuiltinTypes() {
        for (String line : BesideClass.lines(BuiltinTypes.class, "types.txt")) {
            int space = line.indexOf(' ');
            String name = space < 0 ? line : line.substring(0, space);
            lines.put(name.replace("^", ""), line);
        }
        for (String line : BesideClass.lines(BuiltinTypes.class, "defaults.txt")) {
            String[] parts = line.split(" ", 3);
            defaults.computeIfAbsent(parts[0], type -> new LinkedHashMap<>()).put(parts[1], Json.parse(parts[2]));
        }
    }

    /** The table. */
    public static BuiltinTypes get() {
        return INSTANCE;
    }

    /** The type of a built-in resource's kind. */
    public Optional<StructType> of(Resource resource) {
        return resource.isCustom() ? Optional.empty() : of(resource.group(), resource.version(), resource.kind());
    }

    /** The type of a kind, if it is built in. */
    public Optional<StructType> of(String group, String version, String kind) {
        int dot = group.indexOf('.');
        String part = group.isEmpty() ? "core" : dot < 0 ? group : group.substring(0, dot);
        String name = part + "." + version + "." + kind;
        return lines.containsKey(name) ? Optional.of(type(name)) : Optional.empty();
    }

    /** A type by its name. */
    public StructType type(String name) {
        return types.computeIfAbsent(name, this::parse);
    }

    private StructType parse(String name) {
        String line = lines.get(name);
        if (line == null) {
            throw new IllegalArgumentException("no type " + name);
        }
        String[] parts = line.split(" ", -1);
        Map<String, TypeField> fields = new LinkedHashMap<>();
        for (int index = 1; index < parts.length; index++) {
            TypeField typeField = TypeField.parse(parts[index]);
            fields.put(typeField.name(), typeField);
        }
        return new StructType(
                name,
                parts[0].endsWith("^"),
                Collections.unmodifiableMap(fields),
                defaults.getOrDefault(name, Map.of()));
    }
}
