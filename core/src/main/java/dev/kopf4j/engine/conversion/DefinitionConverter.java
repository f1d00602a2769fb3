package dev.kopf4j.engine.conversion;

import dev.kopf4j.View;
import dev.kopf4j.object.BodyView;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Converts the objects of one definition from version to version. Thread-safe. */
final class DefinitionConverter {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.conversion");

    /** Keys of maps are fields, too, and there may be any number of them. */
    private static final int TOLD_MAX = 100;

    private final String definition;
    private final ConversionPaths paths;
    private final String prefix;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /**
     * A converter.
     *
     * @param definition the name of the definition
     * @param functions the functions of that definition
     * @param prefix of the framework's own annotations
     */
    DefinitionConverter(String definition, List<ConversionFunction> functions, String prefix) {
        this.definition = definition;
        this.paths = ConversionPaths.of(functions);
        this.prefix = prefix;
    }

    String group() {
        return definition.substring(definition.indexOf('.') + 1);
    }

    String plural() {
        return definition.substring(0, definition.indexOf('.'));
    }

    /**
     * The object in another version; the object itself if it is in that version.
     *
     * @param object stays as it is
     * @param version the version without its group
     */
    ObjectNode convert(ObjectNode object, String version) throws ConversionFailure, InterruptedException {
        String from = version(object);
        List<ConversionPaths.Step> way = paths.find(from, version)
                .orElseThrow(() -> new ConversionFailure(
                        "there is no conversion from " + from + " to " + version + "; the operator has " + paths));
        ObjectNode current = object;
        for (ConversionPaths.Step step : way) {
            current = converted(current, step);
        }
        return current;
    }

    private String version(ObjectNode object) throws ConversionFailure {
        String apiVersion = object.path("apiVersion").asString("");
        if (!apiVersion.startsWith(group() + "/")) {
            throw new ConversionFailure("apiVersion: '" + apiVersion + "' is none of " + definition);
        }
        return apiVersion.substring(group().length() + 1);
    }

    private ObjectNode converted(ObjectNode object, ConversionPaths.Step step)
            throws ConversionFailure, InterruptedException {
        BodyView body = new BodyView(object);
        ObjectNode next = object.deepCopy();
        for (ConversionFunction function : step.functions()) {
            PartConversion conversion = new PartConversion(function, path -> tellLost(function, path));
            if (function.part() == ConversionFunction.Part.BODY) {
                next = conversion.convert(body, object, body);
                restoreIdentity(object, next, step);
            } else if (object.hasNonNull(function.part().key())) {
                String key = function.part().key();
                next.set(key, conversion.convert(stanza(body, function.part()), mapping(object, key), body));
            }
        }
        next.put("apiVersion", group() + "/" + step.to());
        return next;
    }

    private static View stanza(BodyView body, ConversionFunction.Part part) {
        return part == ConversionFunction.Part.SPEC ? body.spec() : body.status();
    }

    private static ObjectNode mapping(ObjectNode object, String key) throws ConversionFailure {
        if (object.get(key) instanceof ObjectNode mapping) {
            return mapping;
        }
        throw new ConversionFailure(key + ": it is no mapping");
    }

    /** What nobody may change: which object it is. */
    private void restoreIdentity(ObjectNode original, ObjectNode converted, ConversionPaths.Step step)
            throws ConversionFailure {
        String apiVersion = converted.path("apiVersion").asString("");
        List<String> possible = List.of("", group() + "/" + step.from(), group() + "/" + step.to());
        if (!possible.contains(apiVersion)) {
            throw new ConversionFailure(
                    "apiVersion: it has become '" + apiVersion + "', but the conversion is one to " + step.to());
        }
        JsonNode kind = original.path("kind");
        if (!converted.hasNonNull("kind")) {
            converted.set("kind", kind);
        } else if (!converted.get("kind").equals(kind)) {
            throw new ConversionFailure("kind: it was '" + kind.asString("") + "' and has become '"
                    + converted.get("kind").asString("") + "', but a conversion may not change it");
        }
        ConvertedMetadata.restore(original, converted, prefix);
    }

    /** Each loss is told once, as objects are converted again and again. */
    private void tellLost(ConversionFunction function, String path) {
        if (told.size() < TOLD_MAX && told.add(function.from() + ">" + function.to() + ":" + path)) {
            log.warn(
                    "The field {} is lost: {} does not know it, and what {} has returned has no place for it.",
                    path,
                    function.type().getTypeName(),
                    function);
        }
    }
}
