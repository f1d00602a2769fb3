package dev.kopf4j.engine.conversion;

import dev.kopf4j.Body;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OnConvert;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Collects the functions that convert from one version to another. Confined. */
public final class ConversionOptionsDraft implements OnConvert.Options {
    private final List<Declared> parts = new ArrayList<>();
    private boolean dropUnknown;

    private ConversionOptionsDraft() {}

    private record Declared(ConversionFunction.Part part, Class<?> type, ConversionFunction.Invoker invoker) {}

    /**
     * The functions that a user's options name.
     *
     * @throws HandlerDeclarationException if they name none
     */
    public static List<ConversionFunction> declare(
            String definition, String from, String to, Consumer<? super OnConvert.Options> options) {
        ConversionOptionsDraft draft = new ConversionOptionsDraft();
        options.accept(draft);
        if (draft.parts.isEmpty()) {
            throw new HandlerDeclarationException(
                    "the conversion of " + definition + " from " + from + " to " + to
                            + " converts nothing; give it a function, as in c -> c.spec(V1Spec.class, spec -> new V2Spec(...))");
        }
        return draft.parts.stream()
                .map(each -> new ConversionFunction(
                        definition,
                        from,
                        to,
                        each.part(),
                        each.type(),
                        draft.dropUnknown,
                        "a registered function",
                        each.invoker()))
                .toList();
    }

    @SuppressWarnings("unchecked") // what is given was bound to the type
    private <T> ConversionOptionsDraft add(
            ConversionFunction.Part part, Class<T> type, OnConvert.BodyConversion<? super T> function) {
        parts.add(new Declared(part, type, (value, body) -> function.convert((T) value, body)));
        return this;
    }

    @Override
    public <T> OnConvert.Options spec(Class<T> type, OnConvert.Conversion<? super T> function) {
        return add(ConversionFunction.Part.SPEC, type, (T value, Body body) -> function.convert(value));
    }

    @Override
    public <T> OnConvert.Options spec(Class<T> type, OnConvert.BodyConversion<? super T> function) {
        return add(ConversionFunction.Part.SPEC, type, function);
    }

    @Override
    public <T> OnConvert.Options status(Class<T> type, OnConvert.Conversion<? super T> function) {
        return add(ConversionFunction.Part.STATUS, type, (T value, Body body) -> function.convert(value));
    }

    @Override
    public <T> OnConvert.Options status(Class<T> type, OnConvert.BodyConversion<? super T> function) {
        return add(ConversionFunction.Part.STATUS, type, function);
    }

    @Override
    public <T> OnConvert.Options body(Class<T> type, OnConvert.Conversion<? super T> function) {
        return add(ConversionFunction.Part.BODY, type, (T value, Body body) -> function.convert(value));
    }

    @Override
    public OnConvert.Options dropUnknown() {
        dropUnknown = true;
        return this;
    }
}
