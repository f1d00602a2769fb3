package dev.kopf4j.json;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.kopf4j.json.JavaToJson.JsonToJava;
import java.lang.invoke.MethodType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.util.JsonParserDelegate;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.jdk.EnumDeserializer;
import tools.jackson.databind.deser.std.DelegatingDeserializer;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.bean.BeanSerializerBase;
import tools.jackson.databind.ser.std.ToStringSerializer;
import tools.jackson.databind.type.LogicalType;
import tools.jackson.databind.util.EnumResolver;

/**
 * Reads, writes and converts JSON with one configuration for the whole framework.
 *
 * <p>Thread-safe. The returned trees are new and belong to the caller.
 */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonLimits.ofAnswers())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            // As in Kubernetes' own Go types, an absent number is 0, and an absent flag is false. Boxed types can tell
            // them apart.
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            // 1.5 must not silently become 1.
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            // Lambdas, locks and the like have no properties. An empty object would hide the mistake.
            .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            // Definitions that are made of types say the names of constants, or those of @JsonProperty.
            .disable(EnumFeature.READ_ENUMS_USING_TO_STRING)
            .disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING)
            // The place of a constant among the others is no name: 1, or a label "1", must not become the second one.
            .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
            .annotationIntrospector(
                    AnnotationIntrospector.pair(new JacksonAnnotationIntrospector(), new KotlinProperties()))
            .addModule(new SimpleModule().setDeserializerModifier(new Readers()).setSerializerModifier(new Writers()))
            .build();

    private Json() {}

    /** Returns the mapper, for streaming. It is immutable, as all mappers of Jackson 3 are. */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    /**
     * Returns a mapper that leaves some types to another library, and is like {@link #mapper()} for all others. It is
     * to be kept: it remembers how types are read and written.
     */
    public static JsonMapper mapper(ForeignTypes types) {
        return MAPPER.rebuild()
                .addModule(new ForeignTypes.ForeignTypesModule(types))
                .build();
    }

    /** Returns a new empty object. */
    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Reads one JSON value; throws {@link JsonConversionException} with line and column if there is none. */
    public static JsonNode parse(byte[] text) {
        try {
            return present(MAPPER.readTree(text));
        } catch (JacksonException e) {
            throw notJson(e);
        }
    }

    /** Reads one JSON value; throws {@link JsonConversionException} with line and column if there is none. */
    public static JsonNode parse(String text) {
        try {
            return present(MAPPER.readTree(text));
        } catch (JacksonException e) {
            throw notJson(e);
        }
    }

    /** Reads one JSON object; throws {@link JsonConversionException} for any other value. */
    public static ObjectNode parseObject(byte[] text) {
        return requireObject(parse(text));
    }

    /**
     * Reads one JSON object as {@link #parseObject} does, but for a field of one of its fields, which is passed over.
     */
    public static ObjectNode parseObjectWithout(String parent, String field, byte[] text) {
        try (JsonParser parser = new PassingOver(parent, field, MAPPER.createParser(text))) {
            return requireObject(present(MAPPER.readTree(parser)));
        } catch (JacksonException e) {
            throw notJson(e);
        }
    }

    /** Writes compactly, in UTF-8. Where a text has half of a character (a lone surrogate), a question mark stands. */
    public static byte[] bytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (JacksonException e) {
            return MAPPER.writeValueAsString(node).getBytes(StandardCharsets.UTF_8);
        }
    }

    /** Writes compactly: no blanks, no line ends. */
    public static String text(JsonNode node) {
        return MAPPER.writeValueAsString(node);
    }

    /**
     * Returns plain Java values, deeply immutable: maps and lists (in the document's order), strings, booleans, numbers
     * of the narrowest type (integer, long, big integer; double or big decimal), null.
     */
    public static @Nullable Object toJava(@Nullable JsonNode node) {
        return JsonToJava.of(node);
    }

    /** Returns an object as maps and lists, which may be changed, all the way down. */
    public static Map<String, @Nullable Object> toMutableMap(ObjectNode node) {
        return JsonToMutableJava.map(node);
    }

    /**
     * Returns the JSON of a Java value: maps, collections, arrays, optionals, strings, numbers, enums (by name, or by
     * that of their {@code @JsonProperty}), times and durations (ISO 8601), JSON trees (copied), records and beans.
     * Throws {@link JsonConversionException} for anything else (functions, cycles, not-a-number, null keys), and for
     * what is much larger than any object of Kubernetes may be; the message names the Java type and the path. Besides,
     * whatever the value's own code throws.
     */
    public static JsonNode fromJava(@Nullable Object value) {
        return fromJava(value, MAPPER);
    }

    /** Returns the same with what another mapper writes of records, beans, and what else is no container. */
    public static JsonNode fromJava(@Nullable Object value, JsonMapper mapper) {
        return new JavaToJson(mapper).read(value);
    }

    /**
     * Binds a value to a Java type, such as a record. Unknown properties are ignored, absent primitives are zero,
     * absent references are null. An empty text counts as an absent number or flag inside of other values, and fits
     * neither by itself. Throws {@link JsonConversionException} if the value does not fit, or if there is nothing to
     * bind (JSON null to a type without a value for it); the message names the path, what was found, and what was
     * expected.
     */
    @SuppressWarnings(
            "TypeParameterUnusedInFormals") // the type is known at run time only, from the handler's parameter
    public static <T> T bind(JsonNode node, Type type) {
        return bind(node, type, FieldPath.ROOT, MAPPER);
    }

    /**
     * Binds a part of a document by another mapper, as {@link #bind(JsonNode, Type)} does. Messages put the path of the
     * part first.
     */
    @SuppressWarnings("TypeParameterUnusedInFormals") // as above
    public static <T> T bind(JsonNode node, Type type, FieldPath at, JsonMapper mapper) {
        try {
            T value = mapper.treeToValue(node, mapper.constructType(node.isNull() ? type : boxed(type)));
            if (value == null) {
                throw new JsonConversionException(BindingErrorMessage.nothingToBind(at, node, type), null);
            }
            return ownTree(value, node);
        } catch (JacksonException e) {
            throw new JsonConversionException(BindingErrorMessage.message(at, node, type, e), e);
        }
    }

    /**
     * Jackson gives a node itself to those who ask for a tree. What they put into theirs must not be in the document.
     */
    @SuppressWarnings({"unchecked", "ReferenceEquality"}) // a copy has the class of the node
    private static <T> T ownTree(T value, JsonNode node) {
        return value == node ? (T) node.deepCopy() : value;
    }

    /** To a boxed type, an empty text is nothing to bind. To a primitive one, it would be zero. */
    private static Type boxed(Type type) {
        return type instanceof Class<?> cls ? MethodType.methodType(cls).wrap().returnType() : type;
    }

    /** Reads as if there were no such field. Confined. */
    private static final class PassingOver extends JsonParserDelegate {
        private final String parent;
        private final String field;

        PassingOver(String parent, String field, JsonParser parser) {
            super(parser);
            this.parent = parent;
            this.field = field;
        }

        @Override
        public @Nullable JsonToken nextToken() {
            JsonToken token = delegate.nextToken();
            while (token == JsonToken.PROPERTY_NAME && isPassedOver()) {
                delegate.nextToken();
                delegate.skipChildren();
                token = delegate.nextToken();
            }
            return token;
        }

        @Override
        public @Nullable String nextName() {
            return nextToken() == JsonToken.PROPERTY_NAME ? delegate.currentName() : null;
        }

        private boolean isPassedOver() {
            TokenStreamContext above = delegate.streamReadContext().getParent();
            return above.getNestingDepth() == 1
                    && field.equals(delegate.currentName())
                    && parent.equals(above.currentName());
        }
    }

    /** Writes no type in another form than its annotations say. Stateless. */
    @SuppressWarnings("serial") // nobody stores it
    private static final class Writers extends ValueSerializerModifier {
        @Override
        public ValueSerializer<?> modifySerializer(
                SerializationConfig config, BeanDescription.Supplier description, ValueSerializer<?> writer) {
            if (!(writer instanceof BeanSerializerBase)) {
                return writer;
            }
            UnseenAnnotations.refuse(description.get(), true);
            // Such as a StringBuilder, or the templates of other languages: what they say counts, not their getters.
            return CharSequence.class.isAssignableFrom(description.getBeanClass())
                    ? ToStringSerializer.instance
                    : writer;
        }

        @Override
        public ValueSerializer<?> modifyEnumSerializer(
                SerializationConfig config,
                JavaType type,
                BeanDescription.Supplier description,
                ValueSerializer<?> writer) {
            UnseenAnnotations.refuse(description.get(), true);
            return writer;
        }
    }

    /**
     * Reads no type in another way than it says; {@link FlagReader} reads flags, {@link EnumReader} enums. Stateless.
     */
    @SuppressWarnings("serial") // nobody stores it
    private static final class Readers extends ValueDeserializerModifier {
        @Override
        public ValueDeserializer<?> modifyDeserializer(
                DeserializationConfig config, BeanDescription.Supplier description, ValueDeserializer<?> reader) {
            if (reader instanceof BeanDeserializerBase || reader instanceof AbstractDeserializer) {
                UnseenAnnotations.refuse(description.get(), false);
            }
            return reader.logicalType() == LogicalType.Boolean ? new FlagReader(reader) : reader;
        }

        @Override
        public ValueDeserializer<?> modifyEnumDeserializer(
                DeserializationConfig config,
                JavaType type,
                BeanDescription.Supplier description,
                ValueDeserializer<?> reader) {
            UnseenAnnotations.refuse(description.get(), false);
            return reader instanceof EnumDeserializer && description.get().findJsonValueAccessor() == null
                    ? new EnumReader(reader, description.getClassInfo(), false)
                    : reader;
        }
    }

    /** Takes numbers for constants where {@code @JsonFormat} asks for it, so that they are written. Thread-safe. */
    private static final class EnumReader extends DelegatingDeserializer {
        private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,9}");

        private final AnnotatedClass type;
        private final boolean takesNumbers;

        EnumReader(ValueDeserializer<?> reader, AnnotatedClass type, boolean takesNumbers) {
            super(reader);
            this.type = type;
            this.takesNumbers = takesNumbers;
        }

        @Override
        protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> reader) {
            return new EnumReader(reader, type, takesNumbers);
        }

        @Override
        public ValueDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty property) {
            ValueDeserializer<?> reader = _delegatee.createContextual(context, property);
            JsonFormat.Value format = findFormatOverrides(context, property, handledType(), type);
            JsonFormat.Shape shape = format == null ? JsonFormat.Shape.ANY : format.getShape();
            return new EnumReader(reader, type, shape.isNumeric() || shape == JsonFormat.Shape.ARRAY);
        }

        @Override
        public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
            if (!takesNumbers) {
                return super.deserialize(parser, context);
            }
            EnumResolver constants = EnumResolver.constructFor(context.getConfig(), type);
            boolean isText = isNumberInText(parser, constants);
            if (!isText && !parser.hasToken(JsonToken.VALUE_NUMBER_INT)) {
                return super.deserialize(parser, context);
            }
            Map<Integer, Enum<?>> numbered = constants.getNumericIndexLookup();
            int number = isText ? Integer.parseInt(parser.getString()) : parser.getValueAsInt(-1);
            if (numbered != null && numbered.containsKey(number)) {
                return numbered.get(number);
            }
            return number >= 0 && number <= constants.lastValidIndex()
                    ? constants.getEnum(number)
                    : context.handleUnexpectedToken(handledType(), parser);
        }

        /** As labels hold it; what is the name of a constant stays one. */
        private static boolean isNumberInText(JsonParser parser, EnumResolver constants) {
            return parser.hasToken(JsonToken.VALUE_STRING)
                    && NUMBER.matcher(parser.getString()).matches()
                    && constants.findEnum(parser.getString()) == null;
        }
    }

    /** Takes 0 and 1 for flags, as many programs write them, but no other number. Thread-safe. */
    private static final class FlagReader extends DelegatingDeserializer {
        FlagReader(ValueDeserializer<?> reader) {
            super(reader);
        }

        @Override
        protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> reader) {
            return new FlagReader(reader);
        }

        @Override
        public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
            return parser.hasToken(JsonToken.VALUE_NUMBER_INT)
                            && !List.of("0", "1").contains(parser.getString())
                    ? context.handleUnexpectedToken(handledType(), parser)
                    : super.deserialize(parser, context);
        }
    }

    private static JsonNode present(@Nullable JsonNode node) {
        if (node == null || node.isMissingNode()) {
            throw new JsonConversionException("expected a JSON value, but the text is empty", null);
        }
        return node;
    }

    private static ObjectNode requireObject(JsonNode node) {
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw new JsonConversionException("expected a JSON object, but found " + ValueExcerpt.of(node), null);
    }

    private static JsonConversionException notJson(JacksonException e) {
        return new JsonConversionException(ParsingErrorMessage.of(e), e);
    }

    /**
     * Makes the message of a failed binding: the place, what was found, and what was expected or what the type's own
     * constructor said. Pure.
     */
    private static final class BindingErrorMessage {
        private BindingErrorMessage() {}

        static String nothingToBind(FieldPath at, JsonNode root, Type type) {
            return place(at.toString()) + ": expected " + name(type) + ", but found " + ValueExcerpt.of(root);
        }

        static String message(FieldPath at, JsonNode root, Type type, JacksonException e) {
            String place = place(dotted(at, e.getPath()));
            if (e instanceof ValueInstantiationException refused && refused.getCause() != null) {
                return place + ": refused by " + name(refused.getType()) + ": "
                        + refused.getCause().getMessage();
            }
            return place + ": expected " + name(expected(type, e)) + ", but found "
                    + ValueExcerpt.of(found(root, e.getPath()));
        }

        private static Type expected(Type type, JacksonException e) {
            if (e instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
                return mismatch.getTargetType();
            }
            // The number is too large for it.
            return e instanceof InputCoercionException overflow ? overflow.getTargetType() : type;
        }

        private static String name(Type type) {
            if (type instanceof JavaType resolved) {
                return name(resolved.getRawClass());
            }
            if (type instanceof Class<?> raw) {
                return raw.isEnum() ? "one of " + toJava(fromJava(raw.getEnumConstants())) : raw.getSimpleName();
            }
            return type.getTypeName();
        }

        private static String place(String path) {
            return path.isEmpty() ? "the value itself" : path;
        }

        private static String dotted(FieldPath at, List<JacksonException.Reference> path) {
            StringBuilder dotted = new StringBuilder(at.toString());
            for (JacksonException.Reference step : path) {
                if (step.getPropertyName() == null) {
                    dotted.append('[').append(step.getIndex()).append(']');
                } else {
                    dotted.append(dotted.isEmpty() ? "" : ".").append(step.getPropertyName());
                }
            }
            return dotted.toString();
        }

        private static @Nullable JsonNode found(JsonNode root, List<JacksonException.Reference> path) {
            JsonNode found = root;
            for (JacksonException.Reference step : path) {
                found = step.getPropertyName() == null
                        ? found.path(step.getIndex())
                        : found.path(step.getPropertyName());
            }
            return found;
        }
    }

    /** Says why a text is no JSON. Some of Jackson's own messages name its classes, and readers may be strangers. */
    private static final class ParsingErrorMessage {
        private static final Pattern UNEXPECTED =
                Pattern.compile("Unexpected (?:character|close marker) \\(?('.')", Pattern.DOTALL);
        private static final Pattern UNKNOWN_WORD = Pattern.compile("(?:Unrecognized|Non-standard) token ('\\w+')");
        private static final Map<String, String> WORDS = Map.of(
                "Unexpected end-of-input",
                "it ends too early",
                "Invalid UTF-8",
                "Invalid UTF-8",
                "Invalid numeric value",
                "this is no number",
                "Unrecognized character escape",
                "there is no such escape in a text",
                "Illegal unquoted character",
                "a control character in a text must be escaped");

        private ParsingErrorMessage() {}

        static String of(JacksonException e) {
            return "not valid JSON" + place(e.getLocation()) + ": " + reason(e);
        }

        private static String place(@Nullable TokenStreamLocation location) {
            return location == null || location.getLineNr() < 1
                    ? ""
                    : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
        }

        private static String reason(JacksonException e) {
            return switch (e) {
                case StreamConstraintsException _ -> "it has more than " + JsonLimits.SERVER_LEVELS_MAX + " levels";
                case StreamReadException read -> words(String.valueOf(read.getOriginalMessage()));
                case MismatchedInputException _ -> "there is more than one value";
                default -> "its bytes are no text in UTF-8";
            };
        }

        /** The library's words are for programmers: they name its classes and options. */
        private static String words(String message) {
            Matcher character = UNEXPECTED.matcher(message);
            if (character.lookingAt()) {
                return "unexpected character " + character.group(1);
            }
            Matcher word = UNKNOWN_WORD.matcher(message);
            if (word.lookingAt()) {
                return "unexpected word " + word.group(1);
            }
            return WORDS.entrySet().stream()
                    .filter(entry -> message.startsWith(entry.getKey()))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse("it is malformed");
        }
    }

    /** Turns trees into maps and lists that may be changed. Pure. */
    private static final class JsonToMutableJava {
        private JsonToMutableJava() {}

        static Map<String, @Nullable Object> map(ObjectNode node) {
            Map<String, @Nullable Object> map = LinkedHashMap.newLinkedHashMap(node.size());
            node.forEachEntry((key, value) -> map.put(key, of(value)));
            return map;
        }

        private static @Nullable Object of(JsonNode node) {
            return switch (node) {
                case ObjectNode object -> map(object);
                case ArrayNode array -> {
                    List<@Nullable Object> list = new ArrayList<>(array.size());
                    array.forEach(element -> list.add(of(element)));
                    yield list;
                }
                default -> JsonToJava.of(node);
            };
        }
    }
}
