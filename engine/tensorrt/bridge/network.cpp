//go:build tensorrt

#include "network.hpp"

#include <numeric>

using namespace nvinfer1;

namespace {

Dims dims(int rank, int64_t const *list) {
	Dims d{};
	d.nbDims = rank;
	for (int i = 0; i < rank; i++) d.d[i] = list[i];
	return d;
}

// Op runs what adds a layer and gives its first output.
template <class F> int op(ft_network *n, char const *what, F add) noexcept {
	if (!n->fault.empty()) return -1;
	try {
		ILayer *layer = add();
		if (!layer) {
			n->fault = n->library->why(std::string("layer ") + what + " was refused");
			return -1;
		}
		return n->keep(layer->getOutput(0));
	} catch (std::exception const &e) {
		n->fault = std::string("layer ") + what + ": " + e.what();
	} catch (...) {
		n->fault = std::string("layer ") + what + ": an unknown C++ exception";
	}
	return -1;
}

} // namespace

ITensor &ft_network::at(int i) {
	return *tensors.at(static_cast<size_t>(i));
}

int ft_network::keep(ITensor *t) {
	tensors.push_back(t);
	return static_cast<int>(tensors.size()) - 1;
}

void *ft_network::room(size_t bytes) {
	blocks.emplace_back(new char[bytes]);
	return blocks.back().get();
}

// A one-dimensional constant of integers, for shapes.
ITensor *ft_network::integers(std::vector<int64_t> const &list, DataType type) {
	size_t size = type == DataType::kINT64 ? 8 : 4;
	char *data = static_cast<char *>(room(list.size() * size));
	for (size_t i = 0; i < list.size(); i++) {
		int32_t narrow = static_cast<int32_t>(list[i]);
		memcpy(data + i * size, type == DataType::kINT64 ? static_cast<void const *>(&list[i]) : &narrow, size);
	}
	int64_t n = static_cast<int64_t>(list.size());
	return network->addConstant(dims(1, &n), Weights{type, data, n})->getOutput(0);
}

ft_network *ft_network_new(ft_library *l, ft_fault *f) {
	ft::clear(f);
	FT_GUARD(f, nullptr, {
		ft::Signals signals;
		auto create = l->symbol<void *(*)(void *, int32_t)>("createInferBuilder_INTERNAL");
		if (!create) {
			ft::fail(f, l->path + " has no builder");
			return nullptr;
		}
		std::unique_ptr<ft_network> n(new ft_network);
		n->library = l;
		n->builder.reset(static_cast<IBuilder *>(create(&l->log, NV_TENSORRT_VERSION)));
		if (!n->builder) {
			ft::fail(f, l->why("the library makes no builder"));
			return nullptr;
		}
		l->addCreator();
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
		n->network.reset(n->builder->createNetworkV2(1U << static_cast<uint32_t>(NetworkDefinitionCreationFlag::kSTRONGLY_TYPED)));
#pragma GCC diagnostic pop
		n->config.reset(n->builder->createBuilderConfig());
		if (!n->network || !n->config) {
			ft::fail(f, l->why("the library makes no network"));
			return nullptr;
		}
		return n.release();
	})
}

void ft_network_free(ft_network *n) { delete n; }

void ft_network_fault(ft_network const *n, ft_fault *f) {
	ft::clear(f);
	if (!n->fault.empty()) ft::fail(f, n->fault);
}

int ft_input(ft_network *n, char const *name, int type, int rank, int64_t const *list) {
	if (!n->fault.empty()) return -1;
	ITensor *t = n->network->addInput(name, ft::typeOf(type), dims(rank, list));
	if (!t) {
		n->fault = n->library->why(std::string("input ") + name + " was refused");
		return -1;
	}
	return n->keep(t);
}

int ft_constant(ft_network *n, int type, int rank, int64_t const *list, void **data) {
	return op(n, "constant", [&] {
		int64_t count = std::accumulate(list, list + rank, int64_t{1}, std::multiplies<int64_t>());
		*data = n->room(static_cast<size_t>(count) * ft::sizeOf(type));
		return n->network->addConstant(dims(rank, list), Weights{ft::typeOf(type), *data, count});
	});
}

int ft_binary(ft_network *n, int kind, int a, int b) {
	static constexpr ElementWiseOperation kinds[] = {ElementWiseOperation::kSUM, ElementWiseOperation::kPROD, ElementWiseOperation::kSUB,
		ElementWiseOperation::kDIV, ElementWiseOperation::kMAX, ElementWiseOperation::kLESS};
	return op(n, "elementwise", [&] { return n->network->addElementWise(n->at(a), n->at(b), kinds[kind]); });
}

int ft_unary(ft_network *n, int kind, int a) {
	return op(n, "unary", [&]() -> ILayer * {
		if (kind == FT_SIGMOID) return n->network->addActivation(n->at(a), ActivationType::kSIGMOID);
		return n->network->addUnary(n->at(a), kind == FT_SQRT ? UnaryOperation::kSQRT : UnaryOperation::kEXP);
	});
}

int ft_reduce(ft_network *n, int kind, int a, uint32_t axes) {
	auto how = kind == FT_AVERAGE ? ReduceOperation::kAVG : kind == FT_GREATEST ? ReduceOperation::kMAX : ReduceOperation::kSUM;
	return op(n, "reduce", [&] { return n->network->addReduce(n->at(a), how, axes, true); });
}

int ft_cast(ft_network *n, int a, int type) {
	return op(n, "cast", [&] { return n->network->addCast(n->at(a), ft::typeOf(type)); });
}

int ft_quantize(ft_network *n, int a, int scale) {
	return op(n, "quantise", [&] { return n->network->addQuantize(n->at(a), n->at(scale), DataType::kINT8); });
}

int ft_dequantize(ft_network *n, int a, int scale, int axis, int type) {
	return op(n, "dequantise", [&] {
		IDequantizeLayer *d = n->network->addDequantize(n->at(a), n->at(scale), ft::typeOf(type));
		if (d && axis >= 0) d->setAxis(axis);
		return d;
	});
}

ft_layer_counts ft_count(ft_network const *n) {
	ft_layer_counts c{};
	for (int32_t i = 0; i < n->network->getNbLayers(); i++) {
		switch (n->network->getLayer(i)->getType()) {
		case LayerType::kQUANTIZE: c.quantize++; break;
		case LayerType::kDEQUANTIZE: c.dequantize++; break;
		case LayerType::kMATRIX_MULTIPLY: c.products++; break;
		case LayerType::kPLUGIN_V3: c.plugins++; break;
		default: break;
		}
	}
	return c;
}

int ft_matmul(ft_network *n, int a, int b, bool transposed) {
	return op(n, "matrix product", [&] {
		return n->network->addMatrixMultiply(n->at(a), MatrixOperation::kNONE, n->at(b), transposed ? MatrixOperation::kTRANSPOSE : MatrixOperation::kNONE);
	});
}

int ft_gather(ft_network *n, int data, int rows, int axis, int shared) {
	return op(n, "gather", [&] {
		IGatherLayer *g = n->network->addGather(n->at(data), n->at(rows), axis);
		if (g) g->setNbElementWiseDims(shared);
		return g;
	});
}

int ft_shuffle(ft_network *n, int a, int32_t const *order, int rank, int64_t const *list) {
	return op(n, "shuffle", [&] {
		IShuffleLayer *s = n->network->addShuffle(n->at(a));
		if (!s) return s;
		if (order) {
			Permutation p{};
			int const have = n->at(a).getDimensions().nbDims;
			std::copy(order, order + have, p.order);
			s->setFirstTranspose(p);
		}
		if (rank > 0) s->setReshapeDimensions(dims(rank, list));
		return s;
	});
}

// The size of a slice may vary in every dimension but the last, so it is
// computed from the operand's shape.
int ft_slice(ft_network *n, int a, int start, int size) {
	return op(n, "slice", [&] {
		auto &net = *n->network;
		int const rank = n->at(a).getDimensions().nbDims;
		Dims from{}, wide{}, step{};
		from.nbDims = wide.nbDims = step.nbDims = rank;
		bool fixed = true;
		for (int i = 0; i < rank; i++) {
			wide.d[i] = n->at(a).getDimensions().d[i];
			step.d[i] = 1;
			fixed = fixed && (i == rank - 1 || wide.d[i] >= 0);
		}
		from.d[rank - 1] = start;
		wide.d[rank - 1] = size;
		ISliceLayer *s = net.addSlice(n->at(a), from, fixed ? wide : from, step);
		if (!s || fixed) return s;
		std::vector<int64_t> leading(static_cast<size_t>(rank - 1));
		std::iota(leading.begin(), leading.end(), 0);
		ITensor *shape = net.addShape(n->at(a))->getOutput(0);
		ITensor *parts[] = {net.addGather(*shape, *n->integers(leading, DataType::kINT32), 0)->getOutput(0), n->integers({size}, shape->getType())};
		IConcatenationLayer *all = net.addConcatenation(parts, 2);
		all->setAxis(0);
		s->setInput(2, *all->getOutput(0));
		return s;
	});
}

int ft_concat(ft_network *n, int const *list, int count, int axis) {
	return op(n, "concatenation", [&] {
		std::vector<ITensor *> parts;
		for (int i = 0; i < count; i++) parts.push_back(&n->at(list[i]));
		IConcatenationLayer *c = n->network->addConcatenation(parts.data(), count);
		if (c) c->setAxis(axis);
		return c;
	});
}

int ft_select(ft_network *n, int condition, int a, int b) {
	return op(n, "select", [&] { return n->network->addSelect(n->at(condition), n->at(a), n->at(b)); });
}

int ft_positions(ft_network *n, int a, int axis, int rank, int place) {
	int line = op(n, "positions", [&] {
		auto &net = *n->network;
		ITensor *shape = net.addShape(n->at(a))->getOutput(0);
		ITensor *size = net.addGather(*shape, *n->integers({axis}, DataType::kINT32), 0)->getOutput(0);
		int64_t one = 1;
		IFillLayer *fill = net.addFill(dims(1, &one), FillOperation::kLINSPACE, DataType::kINT32);
		fill->setInput(0, *size);
		fill->setAlphaInt64(0);
		fill->setBetaInt64(1);
		return fill;
	});
	std::vector<int64_t> wide(static_cast<size_t>(rank), 1);
	wide[static_cast<size_t>(place)] = -1;
	return ft_shuffle(n, line, nullptr, rank, wide.data());
}

int ft_top(ft_network *n, int a, int k, int *ids) {
	*ids = -1;
	return op(n, "top-k", [&] {
		uint32_t axis = 1U << (n->at(a).getDimensions().nbDims - 1);
#if defined(TRT_MAJOR_RTX) || NV_TENSORRT_MAJOR >= 11
		ITopKLayer *t = n->network->addTopK(n->at(a), TopKOperation::kMAX, k, axis, DataType::kINT32);
#else
		ITopKLayer *t = n->network->addTopK(n->at(a), TopKOperation::kMAX, k, axis);
#endif
		if (t) *ids = n->keep(t->getOutput(1));
		return t;
	});
}

int ft_attend(ft_network *n, ft_attention how, int qkv, int cos, int sin, int past, int slots) {
	return op(n, "attention", [&]() -> ILayer * {
#ifdef TRT_MAJOR_RTX
		(void)how, (void)qkv, (void)cos, (void)sin, (void)past, (void)slots;
		n->library->log.log(ILogger::Severity::kERROR, "TensorRT for RTX takes no plugins");
		return nullptr;
#else
		ITensor *in[] = {&n->at(qkv), &n->at(cos), &n->at(sin), &n->at(past), &n->at(slots)};
		n->plugins.emplace_back(ft::attention(how));
		return n->network->addPluginV3(in, 5, nullptr, 0, *n->plugins.back());
#endif
	});
}

int ft_multiply(ft_network *n, ft_linear how, int x, int weight, int scales, int gamma, int bias, int residual) {
	return op(n, "product with one token", [&]() -> ILayer * {
#ifdef TRT_MAJOR_RTX
		(void)how, (void)x, (void)weight, (void)scales, (void)gamma, (void)bias, (void)residual;
		n->library->log.log(ILogger::Severity::kERROR, "TensorRT for RTX takes no plugins");
		return nullptr;
#else
		std::vector<ITensor *> in;
		for (int t : {x, weight, scales, gamma, bias, residual})
			if (t >= 0) in.push_back(&n->at(t));
		n->plugins.emplace_back(ft::linear(how, bias >= 0));
		return n->network->addPluginV3(in.data(), static_cast<int32_t>(in.size()), nullptr, 0, *n->plugins.back());
#endif
	});
}

void ft_output(ft_network *n, int a, char const *name) {
	if (!n->fault.empty()) return;
	try {
		n->at(a).setName(name);
		n->network->markOutput(n->at(a));
	} catch (std::exception const &e) {
		n->fault = std::string("output ") + name + ": " + e.what();
	}
}

int ft_inputs(ft_network const *n) { return n->network->getNbInputs(); }
int ft_outputs(ft_network const *n) { return n->network->getNbOutputs(); }

int ft_tensor(ft_network const *n, bool output, int i, char *name, size_t size, int *type, int64_t list[8]) {
	ITensor const *t = output ? n->network->getOutput(i) : n->network->getInput(i);
	if (!t) return -1;
	snprintf(name, size, "%s", t->getName());
	*type = ft::typeFrom(t->getType());
	Dims d = t->getDimensions();
	for (int k = 0; k < d.nbDims && k < 8; k++) list[k] = d.d[k];
	return d.nbDims;
}
